// What a page looks like on paper.

export const printStyle = `@media print {
  @page { margin: 1.5cm; }
  :root { color-scheme: light; }
  body, body.app { display: block; background: none; font-size: 10pt; }
  .rail, .skip, .toolbar, .pages > :not(.range), .tabs, .subnav, .switch-field, .comparison, main form, button, .button, .menu, details.data { display: none !important; }
  .print-header { display: flex; justify-content: space-between; border-bottom: 1px solid #999; padding-bottom: .5rem; margin-bottom: 1rem; font-size: 9pt; }
  .card, .metric, .comment { break-inside: avoid; border-color: #999; }
  main { max-width: none; padding: 0; }
  .subject { display: inline; }
  .table { overflow: visible; }
  th, td { min-width: 0 !important; padding: .25rem .375rem; }
  thead th { white-space: normal; }
  td.check, th.check { width: 0; padding: 0; }
  .check > * { display: none !important; }
  td.text, th.text { min-width: 9rem !important; }
  tfoot { display: table-row-group; }
  td svg.fill { display: none; }
  .metrics { grid-template-columns: repeat(auto-fit, minmax(7.5rem, 1fr)); border-color: #999; }
  .heat td, .heat-scale i { print-color-adjust: exact; }
}
`;
