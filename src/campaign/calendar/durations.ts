// Durations in milliseconds.

export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
/** All time zones are a multiple of a quarter hour away from UTC, so their hours and days are made of whole quarters. */
export const quarterHourMs = 15 * minuteMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
