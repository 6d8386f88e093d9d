// Generates the parts of the documentation that come from code: tables, command help, test lists and the OpenAPI
// document. `npm run docs` runs it, and a test fails while a page is out of date.

import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { deployFiles } from "../scripts/deploy/files.ts";
import { campaignEditSchema } from "../src/campaign/campaign-edit.ts";
import { countedCampaignSchema } from "../src/campaign/counted-campaign.ts";
import { emailRecordSchema, tagFields } from "../src/campaign/email-record-schema.ts";
import type { FieldSchema } from "../src/campaign/fields/field-schema.ts";
import { messagesSchema, surveySchema } from "../src/http/tracking/messages/messages-schema.ts";
import { airbyteManifest } from "./generate/airbyte-manifest.ts";
import { daxMeasures, tableauCalculations } from "./generate/bi-measures.ts";
import { commandHelp } from "./generate/command-blocks.ts";
import { connectPages } from "./generate/connect-pages.ts";
import { eventFieldTable, fieldTable, inputTable } from "./generate/field-tables.ts";
import {
  batchLimitTable,
  countingLimitTable,
  limitTable,
  messageLimitTable,
} from "./generate/limit-tables.ts";
import { mcpConclusionTable, mcpToolTable } from "./generate/mcp-tables.ts";
import { generateOpenApi } from "./generate/openapi/openapi.ts";
import {
  auditActionList,
  componentTable,
  errorTable,
  formulaCountTable,
  groupFieldTable,
  importPresetTable,
  metricTable,
  numberTable,
  problemTable,
  providerTable,
  settingTable,
  trafficTable,
  unsubscribeLanguages,
  untrackedList,
} from "./generate/reference-tables.ts";
import { specificationTests } from "./generate/test-lists.ts";
import { typedColumns } from "./generate/typed-columns.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

/** What goes between `<!-- generated: NAME -->` and `<!-- end -->`, by name. */
const blocks: Record<string, () => string> = {
  "command help": commandHelp,
  "record fields": () => fieldTable(emailRecordSchema.properties),
  "tag fields": () => fieldTable(tagFields),
  "meta fields": () => fieldTable(metaFields()),
  errors: errorTable,
  settings: settingTable,
  components: componentTable,
  limits: limitTable,
  metrics: metricTable,
  "mcp tools": mcpToolTable,
  "mcp conclusions": mcpConclusionTable,
  numbers: numberTable,
  "formula counts": formulaCountTable,
  "group fields": groupFieldTable,
  "campaign fields": () => inputTable(countedCampaignSchema),
  "campaign edit fields": () => inputTable(campaignEditSchema),
  "event fields": eventFieldTable,
  problems: problemTable,
  "import presets": importPresetTable,
  "audit actions": auditActionList,
  "batch limits": batchLimitTable,
  "traffic reasons": trafficTable,
  "counting limits": countingLimitTable,
  providers: providerTable,
  "message fields": () => inputTable(messagesSchema),
  "survey fields": () => inputTable(surveySchema),
  "message limits": messageLimitTable,
  "untracked links": untrackedList,
  "specification tests": specificationTests,
  languages: unsubscribeLanguages,
};

/** The expected content of every file that is generated in whole or in part, by path from the repository root. */
export function generatedFiles(): Map<string, string> {
  const files = new Map([
    ["docs/openapi.json", `${JSON.stringify(generateOpenApi(), null, 2)}\n`],
    ["connectors/airbyte/manifest.yaml", airbyteManifest()],
    ["connectors/power-bi/measures.dax", daxMeasures()],
    ["connectors/tableau/calculations.txt", tableauCalculations()],
    ...typedColumns(),
    ...connectPages(),
    ...deployFiles(),
  ]);
  for (const path of globSync(["*.md", "docs/**/*.md"], { cwd: root }).sort()) {
    const text = readFileSync(join(root, path), "utf8");
    const updated = text.replace(
      /(<!-- generated: (.+?) -->\n)[\s\S]*?(<!-- end -->)/g,
      (_all, start: string, name: string, end: string) => {
        const block = blocks[name];
        if (!block) throw new Error(`${path}: unknown generated block "${name}"`);
        return `${start}\n${block()}\n\n${end}`;
      },
    );
    if (/<!-- generated: /.test(text)) files.set(path, updated);
  }
  return files;
}

function metaFields(): Record<string, FieldSchema> {
  const document: object = generateOpenApi();
  const { components } = document as {
    components: { schemas: { Meta: { properties: Record<string, FieldSchema> } } };
  };
  return components.schemas.Meta.properties;
}

if (import.meta.main) {
  for (const [path, content] of generatedFiles()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}
