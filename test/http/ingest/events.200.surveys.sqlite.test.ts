// POST /ingest/v1/events: read time and survey answers.

import test from "node:test";
import { at, checkNumbers, enps, opened, pulse, read, userAgents } from "../../support/number-cases.ts";

test("classifies read time as glanced up to 3 s, skimmed up to 9 s, else read, with shares that sum to 100", (t) => {
  const times = (glanced: number, skimmed: number, reads: number) => ({
    ...opened,
    read_time_glanced: glanced,
    read_time_skimmed: skimmed,
    read_time_read: reads,
  });
  const readings = (...seconds: number[]) => seconds.map((each) => read(each));
  return checkNumbers(t, [
    { what: "not measured", events: readings(0, 0), people: opened },
    { what: "glanced", events: readings(0.001, 3, 0), people: times(100, 0, 0) },
    { what: "skimmed", events: readings(3.001, 9), people: times(0, 100, 0) },
    { what: "read", events: readings(9.001, 1e300), people: times(0, 0, 100) },
    {
      what: "thirds: the remainder goes to the first",
      events: readings(1, 5, 10),
      people: times(34, 33, 33),
    },
    { what: "sevenths", events: readings(1, 5, 10, 10, 10, 10, 10), people: times(14, 14, 72) },
    { what: "sixths", events: readings(1, 5, 5, 10, 10, 10), people: times(17, 33, 50) },
    { what: "eighths", events: readings(1, 5, 5, 5, 10, 10, 10, 10), people: times(13, 37, 50) },
    {
      what: "only persons read",
      events: [...readings(1), read(10, { machine: true }), read(10, { user_agent: userAgents.curl })],
      people: times(100, 0, 0),
    },
  ]);
});

test("counts the latest score and the latest comment of a recipient's survey answers", (t) => {
  const rated = (count: number, average: number, comments = 0) => ({
    ...opened,
    enps_reactions_count: count,
    enps_score_average: average,
    enps_comments_count: comments,
  });
  const ratedBy = (scores: number[]) =>
    scores.map((score, index) => ({ ...enps({ score }), recipient: `r-${index}` }));
  const many = (count: number, average: number) => ({
    ...rated(count, average),
    open_rate: count / 100,
    unique_opens: count,
    unopened: 100 - count,
    total_opens: count,
  });
  return checkNumbers(t, [
    {
      what: "the latest by its time, not by its arrival",
      events: [enps({ score: 2, ...at("11:40:00") }), enps({ score: 9, ...at("11:30:00") })],
      people: rated(1, 2),
    },
    {
      what: "words that were said to an earlier score",
      events: [enps({ score: 2, comment: "Hm" }), enps({ score: 9, ...at("11:30:00") })],
      people: rated(1, 9, 1),
    },
    {
      what: "words that came after",
      events: [enps({ score: 9 }), enps({ comment: "Hm", ...at("11:30:00") })],
      people: rated(1, 9, 1),
    },
    {
      what: "blank words",
      events: [enps({ score: 9, comment: " \n" }), enps({ score: 8, comment: "", ...at("11:30:00") })],
      people: rated(1, 8),
    },
    {
      what: "two surveys, and one of the other kind with the same id",
      events: [enps({ score: 1 }), enps({ score: 2, survey_id: "s-2" }), pulse({ score: 9, comment: "Hm" })],
      people: { ...rated(2, 1.5), survey_reactions_count: 1, survey_reactions_comments_count: 1 },
    },
    {
      what: "an answer instead of a score",
      events: [pulse({ score: 3 }), pulse({ answer: "Yes", ...at("11:30:00") })],
      people: { ...opened, survey_reactions_count: 1 },
    },
    { what: "a mean with two decimals", events: ratedBy([9, 8, 8]), people: many(3, 8.33) },
    { what: "a mean that is rounded up", events: ratedBy([9, 9, 8]), people: many(3, 8.67) },
    { what: "a half is rounded up", events: ratedBy([9, 8, 8, 8, 8, 8, 8, 8]), people: many(8, 8.13) },
    {
      what: "of equal times, the greater event id",
      events: Array.from({ length: 8 }, (_, index) =>
        ["e-5", "e-90", "e-10", "e-9"].map((id) => ({
          ...enps({ score: Number(id.slice(2, 3)), id: `${id}-${index}` }),
          recipient: `r-${index}`,
        })),
      ).flat(),
      people: many(8, 9),
    },
    { what: "all zero", events: ratedBy([0, 0]), people: many(2, 0) },
  ]);
});
