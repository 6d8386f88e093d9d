// Generates a campaign file as tools and spreadsheets of 20 countries write it, with what it means.

import type { EmailRecordField } from "../../../src/campaign/record-fields.ts";
import type { Random } from "../../support/histories.ts";
import { workbook, zip } from "../../support/xlsx.ts";

/** What a row says. Rates are exact; the file has them rounded. */
interface Meaning {
  subject: string;
  /** Wall time, in milliseconds. */
  wall: number;
  recipient_count: number;
  unique_opens: number;
  unique_clicks: number;
}

export interface GeneratedFile {
  content: Buffer;
  /** The column of each field. */
  columns: Map<EmailRecordField, string>;
  meanings: Meaning[];
  /** To which unit the file has times, in milliseconds. */
  timeUnit: number;
  /** Half of the last digit of rates, as a fraction. */
  rateUnit: number;
  /** How it was written, for the message of a failure. */
  forms: string;
}

export const timeZone = "Europe/Berlin";
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const locales = [
  ...["en-US", "en-GB", "en-IN", "en-ZA", "de-DE", "de-CH", "fr-FR", "fr-CA", "es-ES", "es-MX"],
  ...["it-IT", "pt-BR", "nl-NL", "sv-SE", "pl-PL", "hu-HU", "cs-CZ", "tr-TR", "ja-JP", "lt-LT"],
];
const pad = (value: number, digits = 2) => String(value).padStart(digits, "0");

interface Clock {
  year: number;
  month: number;
  date: number;
  hours: number;
  minutes: number;
}
const clockOf = (wall: number): Clock => {
  const at = new Date(wall);
  return {
    ...{ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, date: at.getUTCDate() },
    ...{ hours: at.getUTCHours(), minutes: at.getUTCMinutes() },
  };
};
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const half = ({ hours, minutes }: Clock) => `${hours % 12 || 12}:${pad(minutes)} ${hours < 12 ? "AM" : "PM"}`;
const iso = ({ year, month, date }: Clock) => `${year}-${pad(month)}-${pad(date)}`;
const time = ({ hours, minutes }: Clock) => `${pad(hours)}:${pad(minutes)}`;

/** Each writes a wall time. All times are in winter, when the zone is an hour ahead of UTC. */
const timeForms: Record<string, (clock: Clock, wall: number) => string> = {
  iso: (clock) => `${iso(clock)} ${time(clock)}:00`,
  isoT: (clock) => `${iso(clock)}T${time(clock)}`,
  java: (clock) => `${iso(clock)}T${time(clock)}:00.000+0100`,
  postgres: (_, wall) => `${iso(clockOf(wall - hour))} ${time(clockOf(wall - hour))}:00+00`,
  utc: (_, wall) => `${iso(clockOf(wall - hour))} ${time(clockOf(wall - hour))}:00 UTC`,
  isoHalf: (clock) => `${iso(clock)} ${half(clock)}`,
  excelIso: (clock) => `${iso(clock)} ${clock.hours}:${pad(clock.minutes)}`,
  us: (clock) => `${clock.month}/${clock.date}/${clock.year} ${half(clock)}`,
  usShort: (clock) =>
    `${clock.month}/${clock.date}/${pad(clock.year % 100)} ${clock.hours}:${pad(clock.minutes)}`,
  uk: (clock) => `${pad(clock.date)}/${pad(clock.month)}/${clock.year} ${time(clock)}`,
  ukShort: (clock) => `${pad(clock.date)}/${pad(clock.month)}/${pad(clock.year % 100)} ${time(clock)}`,
  yearFirstShort: (clock) => `${pad(clock.year % 100)}-${pad(clock.month)}-${pad(clock.date)} ${time(clock)}`,
  oracle: (clock) => `${pad(clock.date)}-${months[clock.month - 1]}-${pad(clock.year % 100)} ${time(clock)}`,
  german: (clock) => `${clock.date}.${clock.month}.${clock.year} ${time(clock)}`,
  named: (clock) => `${months[clock.month - 1]} ${pad(clock.date)}, ${clock.year} ${half(clock)}`,
  slashes: (clock) => `${clock.year}/${pad(clock.month)}/${pad(clock.date)} ${time(clock)}`,
};

/** Each writes a count. */
const countForms: Record<string, (count: number, locale: string) => string> = {
  plain: String,
  pandas: (count) => `${count}.0`,
  pandasLong: (count) => `${count}.000`.replace(/^(\d{1,3})\.000$/, "$1.00"),
  grouped: (count, locale) =>
    new Intl.NumberFormat(`${locale}-u-nu-latn`, { useGrouping: "always" }).format(count),
  apostrophes: (count) => new Intl.NumberFormat("de-CH").format(count).replaceAll("’", "'"),
};

/** Each writes a rate, with half of its last digit. */
const rateForms: Record<string, [write: (rate: number, locale: string) => string, unit: number]> = {
  fraction: [(rate) => rate.toFixed(4), 0.000_05],
  exact: [String, 1e-12],
  percent: [(rate) => (rate * 100).toFixed(2), 0.000_05],
  whole: [(rate) => String(Math.round(rate * 100)), 0.005],
  commaFraction: [(rate) => rate.toFixed(4).replace(".", ","), 0.000_05],
  commaPercent: [(rate) => (rate * 100).toFixed(1).replace(".", ","), 0.000_5],
  signed: [(rate) => `${(rate * 100).toFixed(2)}%`, 0.000_05],
  localSigned: [
    (rate, locale) =>
      new Intl.NumberFormat(`${locale}-u-nu-latn`, { style: "percent", minimumFractionDigits: 1 }).format(
        rate,
      ),
    0.000_5,
  ],
};

const subjects = [
  ...["The week", "=1+1", "00123", "1,5", "a;b\tc", 'She said "go"', "two\nlines", "-", "N/A "],
  ...["Grüße an alle", "L’été à Évian", "Größe 42 – jetzt", "Señor “Pérez”", "東京都 ニュース", "😀 News"],
  ...["12.50", "TRUE", " lead"],
];
/** Each name with what it must be quoted for. */
const names: Partial<Record<EmailRecordField, readonly string[]>> = {
  subject: ["Subject", "Title, internal", "Betreff; intern", 'Titel "neu"'],
  sent_at: ["Send Date", "Sent, local", "Gesendet\nam", "When"],
  recipient_count: ["Delivered", "N"],
  unique_opens: ["Opens, unique", "U"],
  unique_clicks: ["Clickers", "C"],
  open_rate: ["Open rate", "R; %"],
  click_rate: ["Click rate", "K"],
};

export function generateFile(random: Random): GeneratedFile {
  const locale = random.pick(locales);
  const [timeName, countName, rateName] = [timeForms, countForms, rateForms].map((forms) =>
    random.pick(Object.keys(forms)),
  ) as [string, string, string];
  const [writeRate, rateUnit] = rateForms[rateName] as (typeof rateForms)[string];
  const isTwo = timeName.startsWith("iso") && random.chance(20);
  const fields = (Object.keys(names) as EmailRecordField[]).filter(
    (field) => !["click_rate", "unique_clicks"].includes(field) || random.chance(70),
  );
  const meanings = Array.from({ length: random.between(1, 6) }, () => generateMeaning(random));
  const columns = new Map(random.shuffle(fields).map((field) => [field, random.pick(names[field] ?? [])]));
  if (isTwo) columns.set("sent_at", "Send Date");
  const timeColumn = isTwo ? random.pick(["Send Hour", "Send Time"]) : undefined;
  const cellsOf = (meaning: Meaning): Record<string, string> => {
    const clock = clockOf(meaning.wall);
    const rate = (count: number) =>
      meaning.recipient_count === 0 ? "" : writeRate(count / meaning.recipient_count, locale);
    const count = (value: number) => (countForms[countName] as (typeof countForms)[string])(value, locale);
    return {
      subject: meaning.subject,
      sent_at: isTwo ? iso(clock) : (timeForms[timeName]?.(clock, meaning.wall) ?? ""),
      time: timeColumn === "Send Hour" ? String(clock.hours) : half(clock),
      recipient_count: count(meaning.recipient_count),
      unique_opens: count(meaning.unique_opens),
      unique_clicks: count(meaning.unique_clicks),
      open_rate: rate(meaning.unique_opens),
      click_rate: rate(meaning.unique_clicks),
    };
  };
  const order = [...columns, ...(timeColumn === undefined ? [] : [["time", timeColumn] as const])];
  const table = [
    order.map(([, name]) => name),
    ...meanings.map((each) => order.map(([field]) => cellsOf(each)[field] ?? "")),
  ];
  const titles = random.chance(25)
    ? Array.from({ length: random.between(1, 3) }, (_, index) => [
        ["Campaign report, 2026", "", "Created; by Ann"][index] ?? "",
      ])
    : [];
  const [content, container] = random.chance(25)
    ? [writeWorkbook([...titles, ...table]), "xlsx"]
    : writeText(random, titles, table);
  return {
    ...{ content, columns, meanings, rateUnit },
    timeUnit: isTwo && timeColumn === "Send Hour" ? hour : minute,
    forms: [locale, isTwo ? `date and ${timeColumn}` : timeName, countName, rateName, container].join(", "),
  };
}

function generateMeaning(random: Random): Meaning {
  const recipients = random.pick([0, 7, 100, 650, 1_000, 1_240, 10_000, 12_400, 150_000, 1_234_567]);
  const opens = random.between(0, recipients);
  const winter = random.pick([0, 31, 310, 340, 365 + 5]);
  return {
    subject: random.pick(subjects),
    wall: Date.UTC(2024, 0, 1) + (winter + random.between(0, 20)) * day + random.between(0, 1_439) * minute,
    recipient_count: recipients,
    unique_opens: opens,
    unique_clicks: random.between(0, opens),
  };
}

type Rows = readonly (readonly string[])[];

function writeText(random: Random, titles: Rows, table: Rows): [Buffer, string] {
  const delimiter = random.pick([",", ";", "\t"]);
  const quotesAll = random.chance(20);
  const end = random.pick(["\n", "\r\n", "\r"]);
  const cell = (text: string) =>
    quotesAll || /["\r\n]/.test(text) || text.includes(delimiter) || /^\s|\s$/.test(text)
      ? `"${text.replaceAll('"', '""')}"`
      : text;
  const text = [...titles, ...table].map((row) => row.map(cell).join(delimiter) + end).join("");
  const encodings: Record<string, () => Buffer> = {
    "utf-8": () => Buffer.from(text),
    "utf-8 with a mark": () => Buffer.from(`\ufeff${text}`),
    "utf-16le": () => Buffer.from(`\ufeff${text}`, "utf16le"),
    "utf-16be": () => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
    "windows-1252": () => encode1252(text) ?? Buffer.from(text),
  };
  const name = random.pick(Object.keys(encodings));
  return [(encodings[name] as () => Buffer)(), `${JSON.stringify(delimiter)}, ${name}`];
}

/** The characters of the bytes 0x80 to 0x9f. */
const upper = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

/** Undefined if a character is not in the code page. */
function encode1252(text: string): Buffer | undefined {
  const bytes = [...text].map((character) => {
    const at = upper.indexOf(character);
    const code = character.codePointAt(0) ?? 0;
    return at >= 0 ? 0x80 + at : code < 0x80 || (code >= 0xa0 && code <= 0xff) ? code : -1;
  });
  return bytes.includes(-1) ? undefined : Buffer.from(bytes);
}

/** Every cell is text, as in a sheet that was pasted. A title is in merged cells. */
function writeWorkbook(rows: Rows): Buffer {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const cells = (row: readonly string[]) =>
    row.map((text) =>
      text === "" ? "<c/>" : `<c t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`,
    );
  return zip(
    workbook(rows.map((row, index) => `<row r="${index + 1}">${cells(row).join("")}</row>`).join("")),
  );
}
