// Fills the sheet "emails" with all campaigns. Extensions, Apps Script, paste this file, and run `refresh`.
// The key is the script property EMAIL_ANALYTICS_KEY: Project settings, Script properties.

const SHEET = "emails";

function onOpen() {
  SpreadsheetApp.getUi().createMenu("email-analytics").addItem("Refresh", "refresh").addToUi();
}

function refresh() {
  const campaigns = download();
  if (campaigns.length === 0) throw new Error("There are no campaigns yet.");
  const names = Object.keys(campaigns[0]).filter((name) => !Array.isArray(campaigns[0][name]));
  const rows = campaigns.map((campaign) => names.map((name) => toCell(name, campaign[name])));
  const spreadsheet = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = spreadsheet.getSheetByName(SHEET) || spreadsheet.insertSheet(SHEET);
  sheet.clearContents();
  sheet.getRange(1, 1, rows.length + 1, names.length).setValues([names, ...rows]);
}

function download() {
  const key = PropertiesService.getScriptProperties().getProperty("EMAIL_ANALYTICS_KEY");
  if (!key) throw new Error("Set the script property EMAIL_ANALYTICS_KEY to your API key.");
  const response = UrlFetchApp.fetch("{{address}}/data_api/v1/emails.ndjson", {
    headers: { Authorization: `Bearer ${key}` },
    muteHttpExceptions: true,
  });
  const text = response.getContentText();
  if (response.getResponseCode() !== 200) throw new Error(`${response.getResponseCode()}: ${text}`);
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * Times as dates, and texts with an apostrophe: Sheets would read "=1+1" as a formula, and "1/2" as a date. It refuses all
 * values if one has more than 50,000 characters.
 */
function toCell(name, value) {
  if (value === null) return "";
  if (typeof value !== "string") return value;
  if (name.endsWith("_at")) return new Date(value);
  return name === "sent_on" ? value : `'${value.slice(0, 49999)}`;
}
