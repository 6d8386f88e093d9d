// Renders the tables of errors, settings, components, metrics, numbers, problems, verdicts and providers, and lists of links.

import { auditActions } from "../../src/access/audit-actions.ts";
import { isHuman, type TrafficReason, trafficReasons } from "../../src/campaign/events/traffic.ts";
import { feedTables } from "../../src/campaign/feed/feed-tables.ts";
import { describeRounding, formulaOf } from "../../src/campaign/feed/metric-contract.ts";
import { metricNames } from "../../src/campaign/metrics.ts";
import { formulaCounts, type RecordField, recordFields } from "../../src/campaign/record-fields.ts";
import { settings } from "../../src/config.ts";
import { problems } from "../../src/counting/events/problems.ts";
import { importPresets } from "../../src/counting/import/mapping/presets.ts";
import { errors } from "../../src/errors.ts";
import { metricDefinitions } from "../../src/http/monitoring/metrics.ts";
import { components } from "../../src/http/server/components.ts";
import { unsubscribePhrases } from "../../src/http/tracking/html/unsubscribe-phrases.ts";
import { untrackedReasons } from "../../src/http/tracking/html/untracked-links.ts";
import { anchorOf } from "../../src/http/web/ui/texts/markdown.ts";
import { providers } from "../../src/providers/providers.ts";
import { capital, code, table } from "./markdown.ts";

export function errorTable(): string {
  const rows = Object.entries(errors).map(([name, { status, message }]) => [
    String(status),
    code(name),
    message,
  ]);
  return table(["Status", "`error`", "Meaning"], rows);
}

export function settingTable(): string {
  const rows = Object.entries(settings).map(([name, { default: byDefault, meaning, accepts }]) => {
    const [, range] = /^an integer from (.*)$/.exec(accepts) ?? [];
    return [
      code(name),
      byDefault === "" ? "" : code(byDefault),
      range ? `${meaning} From ${range}.` : meaning,
    ];
  });
  return table(["Variable", "Default", "Meaning"], rows);
}

export function componentTable(): string {
  return table(
    ["Component", "Serves"],
    Object.entries(components).map(([name, { meaning }]) => [code(name), capital(meaning)]),
  );
}

export function metricTable(): string {
  const rows = Object.entries(metricDefinitions).map(([name, { meaning }]) => [code(name), meaning]);
  return table(["Name", "Meaning"], rows);
}

/** The metrics of counted campaigns: rule and formula, then how they are rounded. */
export function numberTable(): string {
  return ruleTable(metricNames.map((name) => [name, recordFields[name]]));
}

/** The fields of `email_groups`, less those that mean the same as in `emails`. */
export function groupFieldTable(): string {
  const shared = new Set<string>(metricNames.filter((name) => !name.endsWith("_rate")));
  const fields = Object.entries(feedTables.email_groups.fields);
  return ruleTable(fields.filter(([name]) => !shared.has(name) && !/_(low|high)$/.test(name)));
}

function ruleTable(fields: readonly [string, RecordField][]): string {
  const rows = fields.map(([name, field]) => {
    const formula = formulaOf(field);
    const meaning = field.definition ?? field.description;
    return [code(name), formula === undefined ? meaning : `${meaning} ${code(formula)}`];
  });
  const byRounding = Map.groupBy(fields, ([, { rounding }]) => rounding && describeRounding(rounding));
  const roundings = [...byRounding].flatMap(([rounding, rounded]) =>
    rounding ? [`- ${capital(rounding)}: ${rounded.map(([name]) => code(name)).join(", ")}`] : [],
  );
  return `${table(["Field", "Meaning"], rows)}\n\n${roundings.join("\n")}`;
}

/** The exports that imports recognize, less columns that are named like their field. A star marks a column that neither a page nor an export of the tool shows. */
export function importPresetTable(): string {
  const rows = importPresets.map(({ tool, source, undocumented, recognizedBy, columns }) => [
    tool,
    recognizedBy.join(", "),
    Object.entries(columns)
      .flatMap(([field, names]) => {
        const others = names.filter((name) => name.toLowerCase().replaceAll(" ", "_") !== field);
        const isKnown = undocumented !== "all" && !undocumented.some((each) => each === field);
        return others.length > 0 ? [`${code(field)} ${others.join(" or ")}${isKnown ? "" : "*"}`] : [];
      })
      .join(", "),
    capital(source),
  ]);
  return table(["Tool", "Recognized by", "Columns of the fields", "Source"], rows);
}

export function formulaCountTable(): string {
  const rows = Object.entries(formulaCounts).map(([name, { description }]) => [code(name), description]);
  return table(["Count", "Meaning"], rows);
}

export function problemTable(): string {
  const rows = Object.entries(problems).map(([name, { isQuarantined, meaning }]) => [
    code(name),
    isQuarantined ? "yes" : "",
    meaning,
  ]);
  return table(["`reason`", "Quarantined", "Meaning"], rows);
}

/** The names of all actions, in a line for each thing. The page says what they mean. */
export function auditActionList(): string {
  const names = Object.keys(auditActions).map((name) => name.split("."));
  const things = Map.groupBy(names, ([thing]) => thing);
  const lines = [...things].map(
    ([thing, actions]) => `${code(`${thing}.`)} ${actions.map(([, action]) => action).join(", ")}`,
  );
  return lines.join(" · ");
}

export function trafficTable(): string {
  const rows = Object.entries(trafficReasons).map(([name, { verdict, meaning }]) => [
    isHuman(name as TrafficReason) ? `${verdict} (counts)` : verdict,
    code(name),
    meaning,
  ]);
  return table(["Verdict", "Reason", "Evidence"], rows);
}

/** Sorted by title; each links to its section. */
export function providerTable(): string {
  const rows = Object.entries(providers).map(([name, { title }]) => [
    `[${title}](#${anchorOf(title)})`,
    code(name),
  ]);
  return table(
    ["Provider", "`--provider`"],
    rows.sort(([one = ""], [other = ""]) => (one < other ? -1 : 1)),
  );
}

export function untrackedList(): string {
  return untrackedReasons.map(({ reason }) => `- ${reason}`).join("\n");
}

export function unsubscribeLanguages(): string {
  const names = Object.keys(unsubscribePhrases).map((name) => name.replace(/,? in sentences$/, ""));
  const languages = [...new Set(names.flatMap((name) => name.split(/, | and /)))].sort();
  return `${languages.slice(0, -1).join(", ")} and ${languages.at(-1)}`;
}
