// Opens the door for those who read messages: the addresses inside messages are made and answered here.

import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import type { WriterThread } from "../../counting/writer/writer-thread.ts";
import type { Database } from "../../storage/database.ts";
import type { KeyUsage } from "../key-usage.ts";
import { acceptRawBodies } from "../request-body.ts";
import { addImageRoutes } from "./images.ts";
import { addLinkRoutes } from "./links.ts";
import { addMessagesRoute } from "./messages.ts";
import { startRecorder } from "./recorder.ts";
import { addSurveyRoutes } from "./surveys.ts";
import { makeTrackingUrls } from "./tracking-urls.ts";

export interface TrackingOptions {
  database: Database;
  region: string;
  writing: WriterThread;
  keyUsage: KeyUsage;
  /** What addresses are sealed with: the first one seals, all are accepted. */
  secrets: readonly string[];
  /** The address under which readers reach the service, without a slash at its end. */
  url: () => string;
  /** How many messages may be held open at the same time. */
  readingsMax: number;
  log: Logger;
  /** Milliseconds since 1970. */
  now: () => number;
}

export function addTrackingRoutes(app: FastifyInstance, options: TrackingOptions): void {
  const { secrets, readingsMax, writing, log, now } = options;
  const trackingUrls = makeTrackingUrls(secrets, options.url);
  void app.register(async (door) => {
    acceptRawBodies(door);
    addMessagesRoute(door, { ...options, ...(secrets.length > 0 && { trackingUrls }) });
  });
  const recorder = startRecorder(writing, log, now);
  app.addHook("onClose", () => recorder.stop());
  void app.register(async (door) => {
    acceptRawBodies(door);
    const all = { trackingUrls, recorder, readingsMax, now };
    addImageRoutes(door, all);
    addLinkRoutes(door, all);
    addSurveyRoutes(door, all);
  });
}
