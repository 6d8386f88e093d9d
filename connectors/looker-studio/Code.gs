// A community connector of Looker Studio. The fields come from the metric contract of the service.

const ADDRESS = "{{address}}";
const KEY = "EMAIL_ANALYTICS_KEY";
const cc = DataStudioApp.createCommunityConnector();

function getAuthType() {
  return cc.newAuthTypeResponse().setAuthType(cc.AuthType.KEY).build();
}

function setCredentials(request) {
  if (fetchText("/data_api/v1/emails?per_page=1", request.key).status !== 200) return { errorCode: "INVALID_CREDENTIALS" };
  PropertiesService.getUserProperties().setProperty(KEY, request.key);
  return { errorCode: "NONE" };
}

function isAuthValid() {
  return PropertiesService.getUserProperties().getProperty(KEY) !== null;
}

function resetAuth() {
  PropertiesService.getUserProperties().deleteProperty(KEY);
}

function isAdminUser() {
  return false;
}

function getConfig() {
  return cc.getConfig().setDateRangeRequired(true).build();
}

function getSchema() {
  return { schema: readFields().build() };
}

function getData(request) {
  const fields = readFields().forIds(request.fields.map((field) => field.name));
  const { startDate, endDate } = request.dateRange;
  const names = fields.asArray().map((field) => field.getId());
  const { status, text } = fetchText(
    `/data_api/v1/emails.ndjson?sent_after=${startDate}&sent_before=${endDate}&fields=${names.join(",")}`,
    PropertiesService.getUserProperties().getProperty(KEY),
  );
  if (status !== 200) cc.newUserError().setText(text).throwException();
  const rows = text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map((campaign) => ({ values: names.map((name) => toValue(name, campaign[name])) }));
  return { schema: fields.build(), rows };
}

/** Sums are right for counts only, so rates and scores are not aggregated. */
function readFields() {
  const { status, text } = fetchText("/data_api/v1/metrics.json", "");
  if (status !== 200) cc.newUserError().setText(text).throwException();
  const fields = cc.getFields();
  for (const { name, title, type, unit, description } of JSON.parse(text).fields) {
    if (type === "tags") continue;
    const field = unit === "count" ? fields.newMetric() : fields.newDimension();
    field.setId(name).setName(title).setDescription(description).setType(typeOf(type, unit));
    if (unit === "count") field.setAggregation(cc.AggregationType.SUM);
  }
  fields.setDefaultDimension("sent_on");
  fields.setDefaultMetric("unique_opens");
  return fields;
}

function typeOf(type, unit) {
  if (type === "instant") return cc.FieldType.YEAR_MONTH_DAY_SECOND;
  if (type === "date") return cc.FieldType.YEAR_MONTH_DAY;
  if (type === "string") return cc.FieldType.TEXT;
  return unit === "fraction" ? cc.FieldType.PERCENT : cc.FieldType.NUMBER;
}

/** Looker Studio takes times as YYYYMMDDhhmmss and dates as YYYYMMDD. */
function toValue(name, value) {
  if (value === null) return null;
  if (name.endsWith("_at")) return value.slice(0, 19).replace(/\D/g, "");
  return name === "sent_on" ? value.replace(/-/g, "") : value;
}

function fetchText(path, key) {
  const response = UrlFetchApp.fetch(ADDRESS + path, {
    headers: key ? { Authorization: `Bearer ${key}` } : {},
    muteHttpExceptions: true,
  });
  return { status: response.getResponseCode(), text: response.getContentText() };
}
