// The read images that are being sent: each connection stays open for as long as its message is read.

import type { FastifyReply, FastifyRequest } from "fastify";
import { imageHeaders } from "./image-headers.ts";
import { slowPixel } from "./pixel.ts";
import { toIncomingEvent } from "./tracked-request.ts";
import type { TrackingContext } from "./tracking-context.ts";
import { recipientKeyOf, type TrackedMessage } from "./tracking-urls.ts";

/** One block of the image per second keeps the connection open. */
const blockEveryMs = 1_000;

/** The image ends after this time. Longer reads all count in the highest class of read times. */
const maxReadSeconds = 20;

/** Keeps one message from taking all of `READINGS_MAX`; a recipient rarely opens it more often at once. */
const maxReadsPerMessage = 3;

interface OpenRead {
  reply: FastifyReply;
  organizationId: number;
  /** The {@link recipientKeyOf} its message. */
  recipient: string | undefined;
  /** When the read began, by `performance.now()`. */
  startedAt: number;
}

export class OpenReads {
  readonly #context: TrackingContext;
  readonly #reads = new Set<OpenRead>();
  /** Serves all reads; runs only while there are any. */
  #timer: NodeJS.Timeout | undefined;
  #isStopping = false;

  constructor(context: TrackingContext) {
    this.#context = context;
  }

  /** An organization may take one half of `READINGS_MAX`, the next one half of the rest, and so on: each finds room. */
  isFull(message: TrackedMessage): boolean {
    const free = this.#context.maxOpenReads - this.#reads.size;
    const reads = [...this.#reads].filter((read) => read.organizationId === message.organizationId);
    if (this.#isStopping || reads.length >= free) return true;
    const key = recipientKeyOf(message);
    if (key === undefined) return false;
    return reads.filter(({ recipient }) => recipient === key).length >= maxReadsPerMessage;
  }

  /** Starts the image, and records the read when the mail client closes the connection or the image ends. */
  add(request: FastifyRequest, reply: FastifyReply, message: TrackedMessage): void {
    const { recorder, now } = this.#context;
    const { organizationId } = message;
    const read = { reply, organizationId, recipient: recipientKeyOf(message), startedAt: performance.now() };
    const at = now();
    this.#reads.add(read);
    reply.hijack();
    // Nginx would buffer the blocks (nginx.org/en/docs/http/ngx_http_proxy_module.html, proxy_buffering).
    reply.raw.writeHead(200, { ...imageHeaders, "x-accel-buffering": "no" });
    reply.raw.write(slowPixel.start);
    reply.raw.on("error", () => reply.raw.destroy());
    reply.raw.once("close", () => {
      if (!this.#reads.delete(read)) return;
      const seconds = Math.min((performance.now() - read.startedAt) / 1000, maxReadSeconds);
      void recorder.record(
        organizationId,
        toIncomingEvent(request, message, { type: "read", seconds }, { at }),
      );
    });
    this.#timer ??= setInterval(() => this.#sendBlocks(), blockEveryMs).unref();
  }

  /** Ends all images. Reads still open at shutdown are lost: their duration is unknown. */
  stop(): void {
    this.#isStopping = true;
    for (const { reply } of this.#reads) {
      this.#context.recorder.countLost("the server stopped while a message was being read");
      endImage(reply);
    }
    this.#reads.clear();
    clearInterval(this.#timer);
  }

  #sendBlocks(): void {
    const endBefore = performance.now() - maxReadSeconds * 1000;
    for (const { reply, startedAt } of this.#reads) {
      if (startedAt > endBefore) reply.raw.write(slowPixel.block);
      else endImage(reply);
    }
    if (this.#reads.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

/** A client that has not accepted the end of the image by the second call is disconnected. */
function endImage({ raw }: FastifyReply): void {
  if (raw.writableEnded) raw.destroy();
  else raw.end(slowPixel.end);
}
