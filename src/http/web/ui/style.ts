// The style sheet of the web application: light and dark, from 360 pixels wide.

export const style = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #12151a);
  --surface: light-dark(#ffffff, #1b1f27);
  --line: light-dark(#d5d9e0, #363d4a);
  --text: light-dark(#1a1f29, #e7eaf0);
  --soft: light-dark(#525c6b, #a5afbf);
  --accent: light-dark(#1d4ed8, #8fb0ff);
  --on-accent: light-dark(#ffffff, #0c1a3a);
  --good: light-dark(#0f6b3c, #6fd19c);
  --bad: light-dark(#b01919, #ff9a92);
  --warn: light-dark(#8a5300, #f2b75c);
  --chart-1: light-dark(#2457d6, #8fb0ff);
  --chart-2: light-dark(#b4530a, #f0a45d);
  --chart-3: light-dark(#0d7a5f, #5fcfae);
  --chart-4: light-dark(#8a3ab9, #cf9bf0);
  --chart-5: light-dark(#5b6472, #a5afbf);
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
a { color: var(--accent); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, textarea:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; top: .5rem; background: var(--surface); padding: .5rem 1rem; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: center; padding: .5rem 1.25rem; background: var(--surface); border-bottom: 1px solid var(--line); }
.owner { max-width: 100%; overflow-wrap: anywhere; }
header nav { flex: 1 1 auto; }
header ul { display: flex; flex-wrap: wrap; gap: 0 .25rem; list-style: none; margin: 0; padding: 0; }
header li.group { display: flex; flex-wrap: wrap; align-items: center; margin-left: .5rem; padding-left: .75rem; border-left: 1px solid var(--line); }
header li.group > span { white-space: nowrap; color: var(--soft); font-size: .875rem; margin-right: .25rem; }
header a { display: block; padding: .5rem .625rem; border-radius: .375rem; text-decoration: none; }
header a:hover { text-decoration: underline; }
header a[aria-current] { background: var(--accent); color: var(--on-accent); }
.self { display: flex; flex-wrap: wrap; align-items: center; gap: 0 .75rem; }
.self .email:not([aria-current]) { color: var(--soft); }
.self .email { font-size: .875rem; overflow-wrap: anywhere; }
main { max-width: 76rem; margin: 0 auto; padding: 1.25rem; }
main.narrow { max-width: 26rem; padding-top: 10vh; }
.heading { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: baseline; justify-content: space-between; margin-bottom: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.125rem; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere; }
h3 { font-size: 1rem; margin: 1rem 0 .5rem; }
p { margin: 0 0 .75rem; }
main p, caption, summary, main li, legend { overflow-wrap: anywhere; }
strong, .tag, h1, h2, th.text, td.text { unicode-bidi: isolate; }
.soft { color: var(--soft); }
.small { font-size: .875rem; }
.number, td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
.notice, .problem, .warning { padding: .625rem .875rem; border: 1px solid; border-left-width: .3rem; border-radius: .375rem; background: var(--surface); overflow-wrap: anywhere; }
.notice { border-color: var(--good); }
.problem { border-color: var(--bad); }
.warning { border-color: var(--warn); }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: .625rem; padding: 1rem 1.125rem; margin: 0 0 1rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; margin-bottom: 1rem; }
.cards > .card { margin: 0; min-width: 0; }
.card > :last-child { margin-bottom: 0; }
.metrics { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 1rem; margin: 0 0 1rem; padding: 0; list-style: none; }
.metrics li { background: var(--surface); border: 1px solid var(--line); border-radius: .625rem; padding: .75rem 1rem; }
.metrics b { display: block; overflow-wrap: anywhere; font-size: 1.5rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.metrics .small { display: block; }
.table { position: relative; overflow-x: auto; margin: 0 0 1rem; }
table { border-collapse: collapse; width: 100%; }
caption { position: sticky; left: 0; max-width: calc(100vw - 4.25rem); text-align: left; color: var(--soft); font-size: .875rem; padding-bottom: .375rem; }
th, td { text-align: left; padding: .5rem .625rem; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); font-size: .875rem; }
tbody th { color: inherit; font-size: inherit; }
td.text, th.text { min-width: 12rem; overflow-wrap: anywhere; }
td code { overflow-wrap: break-word; }
td select { width: auto; min-width: 6.5rem; }
td.time, th.time { white-space: nowrap; }
td.team, td.labels { min-width: 8rem; max-width: 20rem; overflow-wrap: anywhere; }
.figure tbody th { min-width: 6rem; }
tbody tr:last-child > * { border-bottom: 0; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
label.inline { display: inline-flex; min-width: 0; max-width: 100%; gap: .375rem; align-items: center; font-weight: 400; margin: 0; }
.hint { color: var(--soft); font-size: .875rem; margin: .25rem 0 0; }
.hint + p, .hint + button { margin-top: .75rem; }
.field .problem { margin: .375rem 0 0; font-size: .875rem; }
input, select, textarea, button { font: inherit; color: inherit; }
input:not([type=checkbox], [type=radio], [type=color]), select, textarea { width: 100%; min-height: 2.625rem; padding: .5rem .625rem; border: 1px solid light-dark(#7b8494, #8791a3); border-radius: .375rem; background: var(--surface); }
input:not([type=checkbox], [type=radio], [type=color]), select { height: 2.75rem; }
td select { height: auto; }
input[type=color] { width: 3.5rem; height: 2.5rem; padding: .125rem; border: 1px solid light-dark(#7b8494, #8791a3); border-radius: .375rem; background: var(--surface); }
.field { margin-bottom: 1rem; min-width: 0; }
.fields { display: flex; flex-wrap: wrap; gap: .75rem 1rem; align-items: end; }
.fields > .field { margin: 0; flex: 1 1 11rem; }
.fields > .field.tight { flex: 0 0 auto; }
button, .button { display: inline-block; white-space: nowrap; padding: .5rem 1rem; border: 1px solid var(--accent); border-radius: .375rem; background: var(--accent); color: var(--on-accent); font-weight: 600; cursor: pointer; text-decoration: none; }
@media (max-width: 40rem) { button, .button { white-space: normal; overflow-wrap: anywhere; max-width: 100%; } }
button.second, .button.second { background: transparent; color: var(--accent); }
button.danger { background: transparent; border-color: var(--bad); color: var(--bad); }
button.plain { background: none; border: 0; padding: .5rem 0; color: var(--accent); font-weight: 400; text-decoration: underline; }
.row { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: center; }
td .row { flex-wrap: nowrap; }
td button { padding: .25rem .625rem; }
code, pre, .code { font-family: ui-monospace, "Cascadia Mono", Consolas, monospace; font-size: .875rem; overflow-wrap: anywhere; }
pre { background: var(--ground); border: 1px solid var(--line); border-radius: .375rem; padding: .75rem; white-space: pre-wrap; margin: 0 0 .75rem; }
details > summary { cursor: pointer; color: var(--accent); }
.tools { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .75rem; list-style: none; margin: 1rem 0; padding: 0; }
.tools a { display: flex; gap: .75rem; align-items: center; height: 100%; padding: .75rem; background: var(--surface); border: 1px solid var(--line); border-radius: .625rem; color: inherit; text-decoration: none; }
.tools a:hover { border-color: var(--accent); }
.tools a span { display: block; min-width: 0; overflow-wrap: anywhere; }
.mark { flex: none; }
.mark text { fill: var(--on-accent); font-size: 16px; font-weight: 600; }
.tool-heading { display: flex; gap: .75rem; align-items: center; margin-bottom: .75rem; }
.tool-heading h2, .tool-heading p { margin: 0; }
.card ol { margin: 0 0 1rem; padding-left: 1.5rem; }
.card ol li { margin-bottom: .375rem; }
.facts { margin: 0; }
.facts dt { font-weight: 600; }
.facts dd { margin: 0 0 .75rem; overflow-wrap: anywhere; max-width: 48rem; }
.tag { display: inline-flex; min-width: 0; max-width: 100%; align-items: baseline; gap: .375rem; margin-right: .625rem; overflow-wrap: anywhere; }
.swatch { width: .75rem; height: .75rem; flex: none; }
.figure { margin: 0; min-width: 0; }
.figure + .figure, .figure + .table, .table + h3 { margin-top: 1rem; }
.figure figcaption { font-weight: 600; margin-bottom: .5rem; overflow-wrap: anywhere; }
.figure .wide { overflow-x: auto; margin-bottom: .5rem; }
.figure .wide:not(.latest) .chart { max-width: 35rem; }
.figure .latest { direction: rtl; }
.figure .latest .chart { direction: ltr; margin: 0 auto 0 0; }
.figure .table { margin-top: .5rem; max-height: 24rem; overflow-y: auto; }
.chart { display: block; width: 100%; min-width: 27.5rem; max-width: 46rem; height: auto; }
@media (max-width: 40rem) { .chart { min-width: 32rem; } }
.chart text { fill: var(--soft); font-size: 14px; }
.chart .line, .sample .line { fill: none; stroke-width: 2; }
.sample { flex: none; vertical-align: middle; }
.chart .grid { stroke: var(--line); stroke-width: 1; }
.s1 { fill: var(--chart-1); stroke: var(--chart-1); }
.s2 { fill: var(--chart-2); stroke: var(--chart-2); }
.s3 { fill: var(--chart-3); stroke: var(--chart-3); }
.s4 { fill: var(--chart-4); stroke: var(--chart-4); }
.s5 { fill: var(--chart-5); stroke: var(--chart-5); }
.choices { display: flex; flex-wrap: wrap; gap: .25rem .5rem; list-style: none; margin: 0 0 .75rem; padding: 0; }
.choices a { display: block; padding: .375rem .75rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--surface); text-decoration: none; }
.choices a:hover { text-decoration: underline; }
.choices a[aria-current] { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.tag-choice { margin-top: .75rem; }
.fields + p, .tag-choice + p { margin-top: .75rem; }
.tag-choice fieldset { border: 0; margin: .5rem 0 0; padding: 0; min-width: 0; }
.tag-choice legend { color: var(--soft); font-size: .875rem; padding: 0; }
.boxes { display: flex; flex-wrap: wrap; gap: .25rem 1rem; max-height: 12rem; overflow-y: auto; padding: .375rem .25rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0 0 .5rem; padding: 0; font-size: .875rem; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; }
@media (max-width: 40rem) {
  header { padding: .375rem .75rem; gap: 0 1rem; }
  header nav { flex-basis: 100%; order: 3; }
  header li.group { flex-basis: 100%; margin-left: 0; padding-left: 0; border-left: 0; }
  header li.group > span { margin: 0 .25rem 0 .5rem; }
  header a { padding: .25rem .5rem; }
  header a, header .self { white-space: nowrap; }
  main { padding: .875rem; }
}
@media print {
  header, .skip, .choices, main form, nav, [data-copy], details:not([open]) { display: none !important; }
  body { background: none; }
  .card, .metrics li { break-inside: avoid; border-color: #999; }
}
.card > h3:first-child { margin-top: 0; }
th code { white-space: nowrap; }
.document { max-width: 52rem; }
.document h2 { margin-top: 1.75rem; }
.document > :first-child { margin-top: 0; }
h4 { font-size: .875rem; margin: 1rem 0 .5rem; }
[data-try] pre { max-height: 24rem; overflow-y: auto; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;
