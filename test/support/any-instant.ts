// Generators for property tests of dates and times. Some zones have a half-hour offset, or skipped a day.

import fc from "fast-check";

export const anyInstant = fc.integer({ min: Date.UTC(1900), max: Date.UTC(2050) });

export const anyZone = fc.constantFrom(
  "UTC",
  "Europe/Berlin",
  "America/New_York",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Asia/Kathmandu",
  "Asia/Tehran",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Antarctica/Troll",
);
