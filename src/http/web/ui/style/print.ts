// What a page looks like on paper.

export const printStyle = `@media print {
  @page { margin: 1.5cm; }
  :root { color-scheme: light; }
  body, body.app { display: block; background: none; font-size: 10pt; }
  .rail, .skip, .toolbar, .switch-field, .pages, .tabs, .subnav, main form, [data-copy], .menu, details.data, .button { display: none !important; }
  .print-header { display: flex; justify-content: space-between; border-bottom: 1px solid #999; padding-bottom: .5rem; margin-bottom: 1rem; font-size: 9pt; }
  .card, .metric, .comment { break-inside: avoid; border-color: #999; }
  main { max-width: none; padding: 0; }
}
`;
