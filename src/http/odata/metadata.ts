// The documents that describe the feed to OData tools: the service document, and $metadata (CSDL 4.0) from the table of feed
// fields and the metric contract.

import {
  embeddedTagFields,
  type FeedTable,
  feedTableNames,
  feedTables,
} from "../../campaign/feed/feed-tables.ts";
import { feedTypes } from "../../campaign/feed/feed-types.ts";
import { type RecordField, units } from "../../campaign/record-fields.ts";
import { escapeHtml } from "../../locale/html.ts";
import { filterFunctions } from "./parse-filter.ts";

const namespace = "EmailAnalytics";

/** @param root the URL of the service, with a slash at its end */
export function serviceDocument(root: string): string {
  return JSON.stringify({
    "@odata.context": `${root}$metadata`,
    value: feedTableNames.map((name) => ({ name, kind: "EntitySet", url: name })),
  });
}

/** The vocabularies of the annotations, in their first versions: some tools reject terms and members that came later. */
const vocabularies = ["Core", "Capabilities"].map((name) => {
  const uri = `https://oasis-tcs.github.io/odata-vocabularies/vocabularies/Org.OData.${name}.V1.xml`;
  return `<edmx:Reference Uri="${uri}"><edmx:Include Namespace="Org.OData.${name}.V1"/></edmx:Reference>`;
});

/** The document is the same for every organization. */
export function metadataDocument(): string {
  const tables: readonly [string, FeedTable][] = Object.entries(feedTables);
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx">',
    ...vocabularies,
    "<edmx:DataServices>",
    `<Schema Namespace="${namespace}" xmlns="http://docs.oasis-open.org/odata/ns/edm">`,
    '<ComplexType Name="Tag">',
    ...propertiesOf(embeddedTagFields),
    "</ComplexType>",
    ...tables.flatMap(([, table]) => entityType(table)),
    `<EntityContainer Name="${namespace}">`,
    ...containerAnnotations,
    ...tables.flatMap(([name, table]) => entitySet(name, table)),
    "</EntityContainer>",
    "</Schema>",
    "</edmx:DataServices>",
    "</edmx:Edmx>",
    "",
  ].join("\n");
}

function entityType({ row, key, fields }: FeedTable): string[] {
  const keys = key.map((name) => `<PropertyRef Name="${name}"/>`).join("");
  return [`<EntityType Name="${row}">`, `<Key>${keys}</Key>`, ...propertiesOf(fields), "</EntityType>"];
}

function propertiesOf(fields: Readonly<Record<string, RecordField>>): string[] {
  return Object.entries(fields).map(([name, field]) => {
    const precision = field.type === "instant" ? ' Precision="3"' : "";
    const type = `Type="${feedTypes[field.type].edm}" Nullable="${field.nullMeans !== undefined}"${precision}`;
    return `<Property Name="${name}" ${type}>${stringAnnotation("Core.V1.Description", describe(field))}</Property>`;
  });
}

/** `Share of recipients … A fraction, 0 to 1. Null: No recipients.` */
function describe({ description, definition, unit, nullMeans }: RecordField): string {
  const unitText =
    unit && unit !== "count" ? ` ${units[unit].replace(/^./, (first) => first.toUpperCase())}.` : "";
  const nullText = nullMeans === undefined ? "" : ` Null: ${nullMeans}`;
  return `${definition ?? description}${unitText}${nullText}`;
}

function entitySet(name: string, { row, description, fields, sortedBy, order }: FeedTable): string[] {
  const sorted = sortedBy.length > 0 ? sortedBy : order.map(([field]) => field);
  const unsorted = Object.keys(fields).filter((field) => !sorted.includes(field));
  const paths = unsorted.map((field) => `<PropertyPath>${field}</PropertyPath>`).join("");
  return [
    `<EntitySet Name="${name}" EntityType="${namespace}.${row}">`,
    stringAnnotation("Core.V1.Description", description),
    boolAnnotation("TopSupported", true),
    boolAnnotation("SkipSupported", true),
    restriction("CountRestrictions", [boolValue("Countable", true)]),
    restriction("SortRestrictions", [
      boolValue("Sortable", true),
      `<PropertyValue Property="NonSortableProperties"><Collection>${paths}</Collection></PropertyValue>`,
    ]),
    ...unsupported.map(([name, property]) =>
      restriction(`${name}Restrictions`, [boolValue(property, false)]),
    ),
    "</EntitySet>",
  ];
}

/** What no table does: each with the property that says so. */
const unsupported = Object.entries({
  Expand: "Expandable",
  Search: "Searchable",
  Insert: "Insertable",
  Update: "Updatable",
  Delete: "Deletable",
});

const prefix = "Org.OData.";
const stringAnnotation = (term: string, text: string) =>
  `<Annotation Term="${prefix}${term}" String="${escapeHtml(text)}"/>`;
const boolAnnotation = (term: string, value: boolean) =>
  `<Annotation Term="${prefix}Capabilities.V1.${term}" Bool="${value}"/>`;
const boolValue = (property: string, value: boolean) =>
  `<PropertyValue Property="${property}" Bool="${value}"/>`;
const restriction = (term: string, values: readonly string[]) =>
  `<Annotation Term="${prefix}Capabilities.V1.${term}"><Record>${values.join("")}</Record></Annotation>`;

const containerAnnotations = [
  `<Annotation Term="${prefix}Capabilities.V1.ConformanceLevel"><EnumMember>${prefix}Capabilities.V1.ConformanceLevelType/Minimal</EnumMember></Annotation>`,
  boolAnnotation("BatchSupported", false),
  `<Annotation Term="${prefix}Capabilities.V1.FilterFunctions"><Collection>${Object.keys(filterFunctions)
    .map((name) => `<String>${name}</String>`)
    .join("")}</Collection></Annotation>`,
];
