// Writes Excel workbooks: a ZIP file of XML parts.

import { crc32, deflateRawSync } from "node:zlib";

/** A ZIP file (APPNOTE 6.3.10). @param sizeOf what it says of the unpacked size of a part, if not the truth */
export function zip(parts: Record<string, string | Buffer>, sizeOf: Record<string, number> = {}): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const bytes = Buffer.from(content as string);
    const packed = deflateRawSync(bytes);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(sizeOf[name] ?? bytes.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from("PK\u0003\u0004"), fields, Buffer.from(name), packed]);
    const central = Buffer.alloc(46);
    central.write("PK\u0001\u0002", "latin1");
    central.writeUInt16LE(20, 4);
    fields.copy(central, 6);
    central.writeUInt32LE(offset, 42);
    files.push(local);
    directory.push(central, Buffer.from(name));
    offset += local.length;
  }
  const entries = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\u0005\u0006", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(entries.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, entries, end]);
}

/** The parts of a workbook as Excel writes it, with these rows of XML in its sheet. */
export function workbook(rows: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    "[Content_Types].xml": "<Types/>",
    "xl/workbook.xml": `<?xml version="1.0" encoding="UTF-8"?><workbook xmlns:r="r"><workbookPr/><sheets><sheet name="Hidden" sheetId="1" state="hidden" r:id="rId9"/><sheet name="Report" sheetId="2" r:id="rId1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId9" Target="worksheets/sheet9.xml"/><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    "xl/worksheets/sheet1.xml": `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    // Styles: 1 is a date with time, 2 and 3 are percentages, 4 is a date of a format of its own, 5 is text with a "%" in quotes.
    "xl/styles.xml": `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="0.000%"/><numFmt numFmtId="165" formatCode="[Red]dd/mm/yyyy"/><numFmt numFmtId="166" formatCode="0&quot; % d&quot;"/></numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="22"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`,
    "xl/sharedStrings.xml": `<sst><si><t>Subject</t></si><si><t>Send Date</t></si><si><r><t>Un</t></r><r><t>ique &amp; Opens</t></r><rPh><t>no</t></rPh></si></sst>`,
    ...more,
  };
}
