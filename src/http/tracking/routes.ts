// The routes of the component `tracking`: making tracked messages, and answering the URLs in them.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Database } from "../../storage/queries/database.ts";
import { acceptRawBodies } from "../request/body.ts";
import type { KeyUsage } from "../request/key-usage.ts";
import { AnswerLimit } from "./answer-limit.ts";
import { FloodDetector } from "./flood-detector.ts";
import { addImageRoutes } from "./images.ts";
import { addLinkRoutes } from "./links.ts";
import { addMessagesRoute } from "./messages/messages.ts";
import { Recorder } from "./recorder.ts";
import { addSurveyRoutes } from "./surveys.ts";
import { makeTrackingUrls } from "./tracking-urls.ts";

export interface TrackingOptions {
  database: Database;
  region: string;
  writer: WriterThread;
  keyUsage: KeyUsage;
  /** The first seals new tracking URLs; all are accepted. Without any, no messages can be made. */
  secrets: readonly string[];
  /** Where mail clients reach the service, without a trailing slash. */
  url: () => string;
  /** The number of read images that may be open at the same time. */
  maxOpenReads: number;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

export function addTrackingRoutes(app: FastifyInstance, options: TrackingOptions): void {
  const { secrets, maxOpenReads, writer, log, now } = options;
  const trackingUrls = makeTrackingUrls(secrets, options.url);
  void app.register(async (scope) => {
    acceptRawBodies(scope);
    addMessagesRoute(scope, { ...options, ...(secrets.length > 0 && { trackingUrls }) });
  });
  const recorder = new Recorder(writer, log, now);
  app.addHook("onClose", () => recorder.stop());
  void app.register(async (scope) => {
    acceptRawBodies(scope);
    const [floods, answers] = [new FloodDetector(now), new AnswerLimit(now)];
    const context = { trackingUrls, recorder, floods, answers, url: options.url, maxOpenReads, now };
    addImageRoutes(scope, context);
    addLinkRoutes(scope, context);
    addSurveyRoutes(scope, context);
  });
}
