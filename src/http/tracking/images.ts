// The images inside messages: a pixel that shows that a message is opened, and one that is sent in drips for as long as
// it is read.

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isHumanRequest, logMessage, toEntry } from "./tracked-request.ts";
import { type TrackingContext, waitForStatus } from "./tracking-context.ts";
import { routePathOf, type TrackedMessage } from "./tracking-urls.ts";

/** A GIF of one transparent pixel, up to where it ends: what may follow are comments, and then the end. */
const begin = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA=", "base64");
const end = Buffer.from(";");
export const pixel = Buffer.concat([begin, end]);

/** A comment of nothing but spaces, as long as it takes: each drip is one of its blocks. */
const commentBegin = Buffer.from([0x21, 0xfe]);
const drip = Buffer.from([0x01, 0x20]);
const commentEnd = Buffer.from([0x00]);

/** Between two drips; in milliseconds. */
const dripEveryMs = 1_000;
/** Nobody is watched for longer: what is above the last limit of a reading is all the same. In seconds. */
export const maxReadSeconds = 20;

/** Of one recipient: nobody reads a message more often at once, and nobody takes the place of all others. */
const readingsOfOneMax = 3;

const imageHeaders = {
  "content-type": "image/gif",
  "cache-control": "no-store, no-cache, must-revalidate, private",
  pragma: "no-cache",
  expires: "0",
  "x-content-type-options": "nosniff",
};

export function addImageRoutes(app: FastifyInstance, door: TrackingContext): void {
  const { trackingUrls, recorder, now } = door;
  app.get<{ Params: { token: string } }>(routePathOf("open"), async (request, reply) => {
    const message = trackingUrls.parse("open", request.params.token);
    if (message) {
      logMessage(request, message);
      await waitForStatus(
        recorder.record(message.organizationId, toEntry(request, message, { type: "open" }, now())),
      );
    }
    return sendPixel(reply, message);
  });

  const readings = holdReadings(app, door);
  app.get<{ Params: { token: string } }>(routePathOf("read"), async (request, reply) => {
    const message = trackingUrls.parse("read", request.params.token);
    if (message) logMessage(request, message);
    const { token } = request.params;
    if (!message || !isHumanRequest(request) || readings.isFull(token)) return sendPixel(reply, message);
    readings.hold(request, reply, { ...message, token });
    return reply;
  });
}

/** Of no message as well: an image that is broken shows as one, and nobody is helped by that. */
function sendPixel(reply: FastifyReply, message: TrackedMessage | undefined): FastifyReply {
  return reply
    .code(message ? 200 : 404)
    .headers(imageHeaders)
    .send(pixel);
}

/** Once; who has not even taken that by the next time takes nothing any more. */
function endReading({ raw }: FastifyReply): void {
  if (raw.writableEnded) raw.destroy();
  else raw.end(Buffer.concat([commentEnd, end]));
}

interface OpenRead {
  reply: FastifyReply;
  /** Undefined where all recipients have the same one. */
  token: string | undefined;
  /** As `performance.now()` has it. */
  since: number;
}

/** The images that are being sent in drips. One timer serves all of them. */
function holdReadings(app: FastifyInstance, { recorder, readingsMax, now }: TrackingContext) {
  const readings = new Set<OpenRead>();
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  const dripAll = () => {
    const until = performance.now() - maxReadSeconds * 1000;
    for (const { reply, since } of readings) {
      if (since > until) reply.raw.write(drip);
      else endReading(reply);
    }
    if (readings.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  // Who reads while the server stops reads on for a time that nobody knows.
  app.addHook("preClose", async () => {
    isStopping = true;
    for (const { reply } of readings) {
      recorder.countLost("the server stopped while a message was read");
      endReading(reply);
    }
    readings.clear();
    clearInterval(timer);
  });
  return {
    isFull(token: string) {
      const ofOne = [...readings].filter((reading) => reading.token === token).length;
      return isStopping || readings.size >= readingsMax || ofOne >= readingsOfOneMax;
    },
    hold(request: FastifyRequest, reply: FastifyReply, message: TrackedMessage & { token: string }) {
      const isNamed = (message.recipient ?? message.recipientHash) !== undefined;
      const token = isNamed ? message.token : undefined;
      const reading = { reply, token, since: performance.now() };
      const at = now();
      readings.add(reading);
      reply.hijack();
      // Proxies would keep the drips together (nginx.org/en/docs/http/ngx_http_proxy_module.html, proxy_buffering).
      reply.raw.writeHead(200, { ...imageHeaders, "x-accel-buffering": "no" });
      reply.raw.write(Buffer.concat([begin, commentBegin]));
      reply.raw.on("error", () => reply.raw.destroy());
      reply.raw.once("close", () => {
        if (!readings.delete(reading)) return;
        const seconds = Math.min((performance.now() - reading.since) / 1000, maxReadSeconds);
        void recorder.record(
          message.organizationId,
          toEntry(request, message, { type: "read", seconds }, at),
        );
      });
      timer ??= setInterval(dripAll, dripEveryMs).unref();
    },
  };
}
