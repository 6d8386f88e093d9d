// Tables, bars in cells, and tables as cards in narrow windows.

export const tablesStyle = `.table { position: relative; overflow-x: auto; }
.card > .table { margin: 0 -1.25rem; padding: 0 .625rem; }
:is(.card, .list-table) > .table { background: linear-gradient(var(--surface), var(--surface)) right / 1.5rem 100% no-repeat local, linear-gradient(to left, color-mix(in srgb, var(--text) 14%, transparent), transparent) right / .75rem 100% no-repeat; }
.card > .table:last-child { margin-bottom: -.625rem; }
table { border-collapse: separate; border-spacing: 0; width: 100%; }
caption { text-align: left; color: var(--soft); font-size: .8125rem; line-height: 1.25rem; padding: 0 .625rem .5rem; }
th, td { text-align: left; padding: .5rem .625rem; border-bottom: 1px solid var(--line); vertical-align: top; line-height: 1.25rem; font-weight: 400; }
th.number, td.number { text-align: right; }
thead th { color: var(--soft); font-size: .75rem; line-height: 1rem; font-weight: 500; white-space: nowrap; vertical-align: bottom; }
thead th a { position: relative; display: inline-flex; align-items: center; gap: .25rem; color: inherit; text-decoration: none; border-radius: .25rem; }
thead th.number a { flex-direction: row-reverse; }
thead th a:not([data-sorted]) .icon { position: absolute; left: calc(100% + .125rem); }
thead th.number a:not([data-sorted]) .icon { left: auto; right: calc(100% + .125rem); }
thead th a:hover { color: var(--text); }
thead th a .icon { width: .75rem; height: .75rem; }
thead th a:not([data-sorted]) .icon { opacity: 0; }
thead th a:hover .icon, thead th a:focus-visible .icon { opacity: 1; }
thead th[aria-sort] { color: var(--text); font-weight: 600; }
tbody tr:last-child > * { border-bottom: 0; }
table:not(.heat) tbody tr:hover { background: color-mix(in srgb, var(--sunken) 50%, transparent); }
tbody th { font-weight: 500; min-width: 7rem; }
tbody th a { padding: .25rem 0; color: inherit; text-decoration: none; }
tbody th a:hover { color: var(--accent); text-decoration: underline; }
tfoot td, tfoot th { border-top: 1px solid var(--line); border-bottom: 0; color: var(--soft); font-weight: 500; }
td.text, th.text { min-width: 12rem; overflow-wrap: anywhere; }
td summary, td .tag, th .tag { overflow-wrap: break-word; }
tbody th .small, .few { white-space: nowrap; }
.vs-usual { font-size: .8125rem; line-height: 1.25rem; font-weight: 400; }
.vs-usual .change { font-size: inherit; vertical-align: bottom; }
td.time, th.time { white-space: nowrap; color: var(--soft); font-variant-numeric: tabular-nums; }
tr:has(td button, td .button) > * { vertical-align: middle; }
td .fields, td .row { flex-wrap: nowrap; align-items: center; gap: .375rem; }
th .soft.small { white-space: nowrap; }
td.labels { min-width: 8rem; max-width: 16rem; }
td.check, th.check { width: 2rem; padding-right: 0; }
td.check label { display: flex; width: 2.5rem; margin: -.5rem -.75rem; padding: .625rem .75rem; }
td.bar { min-width: 8.5rem; white-space: nowrap; }
svg.fill { display: inline-block; vertical-align: middle; width: calc(100% - 4rem); height: .375rem; border-radius: .1875rem; background: var(--sunken); overflow: hidden; fill: var(--chart-1); float: left; margin-top: .4375rem; }
th.bar { position: relative; isolation: isolate; }
th.bar > svg.fill { position: absolute; z-index: -1; left: 0; top: .125rem; width: 100%; height: calc(100% - .25rem); margin: 0; background: none; fill: light-dark(color-mix(in oklab, var(--chart-1) 14%, var(--surface)), color-mix(in oklab, var(--chart-1) 24%, var(--surface))); border-radius: .25rem; }
tr:has(> th.bar) > * { border-bottom: 0; }
tfoot svg.fill { fill: var(--chart-5); }
.list-table { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; }
.list-table > .table { padding: .25rem .375rem; border-radius: .6875rem; }
.list-table caption { padding: .75rem .625rem .25rem; }
.list-table + p, .comments + p, .empty + p { margin-top: .75rem; }
.list-table :is(th, td) { padding-left: .5rem; padding-right: .5rem; }
.list-table tbody th { min-width: 11rem; }
.list-table td.bar { min-width: 6.25rem; }
.list-table td.bar svg.fill { width: calc(100% - 3.75rem); }
.list-table td.labels { min-width: 6rem; }
.card > .table:has(> .pinned) { padding-left: 0; padding-right: 0; }
.pinned tr > :first-child { padding-left: 1.25rem; }
.pinned tr > :last-child { padding-right: 1.25rem; }
.compared tr > :first-child { width: 9rem; }
.compared :is(td, thead th) { min-width: 0; overflow-wrap: break-word; }
.compared thead th { white-space: normal; vertical-align: bottom; }
.compared thead th.text { color: var(--text); }
.compared :is(td, thead th.text) { text-align: right; }
.compared .labels .tag:last-child { margin-right: 0; }
.compared td.labels { max-width: none; }
.marked { display: flex; flex-flow: row-reverse wrap; gap: 0 .375rem; }
.compared td.bar { position: relative; min-width: 0; padding-bottom: 1.125rem; }
.compared svg.fill { position: absolute; left: .625rem; bottom: .5rem; width: calc(100% - 1.25rem); }
.compared td.bar:last-child svg.fill { width: calc(100% - 1.875rem); }
@media (min-width: 56.01rem) {
  .compared table { table-layout: fixed; }
}
.list-head { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; padding: .375rem 0; }
.list-head > h2 { margin: 0; font-size: inherit; line-height: inherit; }
.comparison { display: flex; flex: 1 1 0; gap: .75rem; align-items: center; justify-content: flex-end; min-width: 0; }
.comparison button { white-space: nowrap; }
.comparison > .hint { min-width: 0; max-width: none; margin: 0; font-size: .75rem; line-height: 1rem; text-align: right; }
.comparison > .hint.over { color: var(--bad); }
body:has([name=ids]:checked) .list-head { position: sticky; top: 0; z-index: 3; background: var(--ground); }
.jump { display: flex; align-items: center; gap: .375rem; }
.jump label { display: contents; font-weight: 400; }
.jump input:not([type=checkbox]) { width: auto; min-width: 2.5rem; min-height: 1.75rem; padding: .1875rem .375rem; field-sizing: content; }
.sizes { display: flex; gap: .125rem; list-style: none; padding: 0; }
.sizes a { padding: .1875rem .5rem; border-radius: .3125rem; color: inherit; text-decoration: none; }
.sizes a:hover { background: var(--sunken); }
.sizes a[aria-current] { background: var(--sunken); color: var(--text); font-weight: 600; }
.pages .gap { flex: 1; }
tfoot td.number { white-space: nowrap; }
tfoot small { display: block; white-space: normal; font-weight: 400; font-size: .75rem; line-height: 1rem; }
.phone { display: none; }
.rows { display: grid; grid-template-columns: fit-content(9rem) 1fr auto; gap: .625rem .75rem; }
p + .rows { margin-top: .5rem; }
.rows > div { display: grid; grid-column: 1 / -1; grid-template-columns: subgrid; align-items: center; }
.rows dt { color: var(--soft); }
.rows svg.fill { float: none; width: 100%; margin: 0; }
.rows dd:last-child { text-align: right; font-variant-numeric: tabular-nums; font-weight: 500; }
.list-table thead th { padding-top: .625rem; padding-bottom: .625rem; white-space: normal; text-wrap: balance; }
@media (min-width: 56.01rem) {
  .list-table > .table { padding-left: 0; padding-right: 0; }
  .list-table :is(caption, tr > :first-child) { padding-left: 1rem; }
  .list-table tr > :last-child { padding-right: 1rem; }
  .list-table .check { width: 2.5rem; min-width: 2.5rem; }
  .list-table tr > :is(:first-child, .check + th) { position: sticky; left: 0; z-index: 1; background: var(--surface); }
  .list-table tr > .check + th { left: 2.5rem; }
  .list-table tbody tr:hover > :is(:first-child, .check + th) { background: color-mix(in srgb, var(--sunken) 50%, var(--surface)); }
}
@media (min-width: 40.01rem) {
  .document tbody th code { overflow-wrap: normal; }
}
@media screen and (max-width: 56rem) {
  table.stack, table.stack tbody, table.stack tfoot { display: block; }
  table.stack thead { display: none; }
  table.stack caption { display: block; }
  table.stack tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(6rem, 1fr)); gap: .5rem 1rem; padding: .875rem .625rem; border-bottom: 1px solid var(--line); }
  table.stack tr:last-child { border-bottom: 0; }
  table.stack :is(th, td) { display: block; max-width: none; white-space: normal; border: 0; padding: 0; text-align: left; min-width: 0; }
  table.stack tbody th { grid-column: 1 / -1; font-weight: 600; }
  table.stack td[data-label]::before { content: attr(data-label); display: block; color: var(--soft); font-size: .75rem; line-height: 1rem; white-space: normal; }
  table.stack tr { position: relative; }
  table.stack svg.fill { width: calc(100% - 3.75rem); margin-right: .5rem; }
  table.stack td.bar { min-width: 0; }
  table.stack td.check { position: absolute; top: .875rem; right: .625rem; width: auto; }
  table.stack td.check label { margin: -.75rem; padding: .75rem; }
  table.stack th:has(+ td) { padding-right: 1.75rem; }
  table.stack td:has(form),
  table.stack td.moment { grid-column: span 2; }
  table.stack td.wide { grid-column: 1 / -1; }
  table.stack td:empty { display: none; }
  table.stack svg.fill { margin-right: .5rem; }
  table.stack tfoot th { grid-column: 1 / -1; }
  table.stack tr:has(> td.number:nth-child(2):nth-last-child(4)) { grid-template-columns: 1fr 1fr; }
  .phone { display: contents; }
  .desk { display: none; }
}
@media (max-width: 40rem) {
  .card > .table { margin: 0 -1rem; padding: 0 .375rem; }
  td.text, th.text { min-width: 9rem; }
  td.bar { min-width: 6rem; }
  th.bar { min-width: 5rem; padding-right: .25rem; }
  .vs-usual { font-size: .75rem; }
  .cards > .card > .table > table:not(.stack) :is(th, td) { padding-top: .375rem; padding-bottom: .375rem; }
  .cards > .card > .table > table:not(.stack) :is(thead th, .number) { white-space: normal; }
  .cards > .card > .table > table:not(.stack) .number:not(.bar) { width: 1%; padding-left: .25rem; }
  .cards > .card > .table > table:not(.stack) .number:not(.bar, :last-child) { padding-right: .25rem; }
  table.pinned tr > :first-child { position: sticky; left: 0; z-index: 1; width: auto; min-width: 7rem; max-width: 8.25rem; padding-left: 1rem; overflow-wrap: break-word; background: var(--surface); }
  table.pinned thead th { white-space: normal; }
  table.pinned thead th.text { min-width: 6.5rem; vertical-align: top; }
  table.pinned td { min-width: 0; white-space: normal; }
  .pinned tr > :last-child { padding-right: 1rem; }
  .compared tr > :first-child { min-width: 6.5rem; max-width: 7rem; padding-right: .25rem; }
  .compared tr > :not(:first-child) { min-width: 6rem; padding-left: .375rem; overflow-wrap: anywhere; }
  .compared tr > :not(:first-child, :last-child) { padding-right: .375rem; }
  .compared svg.fill { left: .375rem; width: calc(100% - .75rem); }
  .compared td.bar:last-child svg.fill { width: calc(100% - 1.375rem); }
  .list-head > h2 { flex: 1 0 auto; }
  .comparison { position: fixed; z-index: 4; inset: auto 0 0; flex-wrap: wrap; padding: .625rem 1rem; background: var(--raised); box-shadow: var(--float); }
  body:not(:has([name=ids]:checked)) .comparison { display: none; }
}
`;
