// Parts of pages: cards, key metrics, badges, notices, empty states, comments.

export const partsStyle = `.card { background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 0 0 1rem; min-width: 0; }
.card > .card-head { margin-bottom: .75rem; }
.card-head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; justify-content: space-between; }
.card-head a { padding: .25rem 0; margin: -.25rem 0; font-size: .8125rem; color: var(--soft); text-decoration: none; }
.card-head a:hover { color: var(--text); text-decoration: underline; }
.card-head :is(h2, h3) a { margin: 0; font-size: inherit; color: inherit; }
.card p + p, .card .table + p, .card .table + details { margin-top: .5rem; }
.card p + .table, .card form + .table { margin-top: .75rem; }
.card p + form { margin-top: 1rem; }
.card > :last-child { margin-bottom: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem; margin-bottom: 1rem; }
.cards > .card { margin: 0; }
.section { margin: 2rem 0 .75rem; }
.metrics { display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1px; margin: 0 0 1rem; padding: 0; list-style: none; background: var(--line); border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; }
.metrics > li { display: grid; grid-row: span 4; grid-template-rows: subgrid; }
.metric { position: relative; display: grid; grid-row: span 4; grid-template-rows: subgrid; align-content: start; height: 100%; row-gap: .125rem; padding: 1rem 1rem .875rem; background: var(--surface); min-width: 0; color: inherit; text-decoration: none; }
a.metric:hover { background: color-mix(in srgb, var(--sunken) 55%, var(--surface)); }
.metric[aria-current] { box-shadow: inset 0 -2px var(--accent); }
.metric .name { color: var(--soft); font-weight: 500; line-height: 1.25rem; display: flex; gap: .375rem; align-items: center; }
.metric .value { display: flex; flex-wrap: wrap; align-items: baseline; gap: .125rem .5rem; font-size: 1.5rem; line-height: 2rem; font-weight: 620; letter-spacing: -.025em; font-variant-numeric: tabular-nums; }
.metric .value b { font-weight: inherit; overflow-wrap: anywhere; min-width: 0; }
.metric .value .few { font-size: 1rem; font-weight: 500; color: var(--soft); letter-spacing: 0; }
.metric .change { flex-basis: 100%; }
.metric .spark { grid-row: 3; width: 100%; height: 2rem; margin-top: .25rem; }
.metric .from { grid-row: 4; color: var(--soft); font-size: .75rem; line-height: 1.125rem; }
.change { display: inline-flex; align-items: center; gap: .125rem; font-size: .75rem; line-height: 1.25rem; font-weight: 550; letter-spacing: 0; color: var(--soft); white-space: nowrap; }
.change.better { color: var(--good); }
.change.worse { color: var(--bad); }
.change .icon { width: .8125rem; height: .8125rem; stroke-width: 2.25; }
.badge { display: inline-flex; align-items: center; gap: .25rem; padding: 0 .4375rem; min-height: 1.25rem; border-radius: .625rem; background: var(--sunken); color: var(--soft); font-size: .75rem; line-height: 1.25rem; font-weight: 550; white-space: nowrap; font-variant-numeric: tabular-nums; }
.badge.good { background: var(--good-ground); color: var(--good); }
.badge.bad { background: var(--bad-ground); color: var(--bad); }
.badge.warn { background: var(--warn-ground); color: var(--warn); }
.badge.accent { background: var(--accent-ground); color: var(--accent); }
.tag { display: inline-flex; align-items: center; gap: .375rem; max-width: 100%; font-size: .8125rem; line-height: 1.25rem; overflow-wrap: break-word; margin-right: .5rem; }
.heading .tag { margin-right: 0; }
.swatch { width: .5rem; height: .5rem; border-radius: 50%; flex: none; }
.notice, .problem, .warning { display: flow-root; padding: .625rem .875rem; margin-bottom: 1rem; border-radius: var(--radius); overflow-wrap: anywhere; }
.notice, .problem, .warning { border: 1px solid; }
.notice { background: var(--good-ground); border-color: color-mix(in srgb, var(--good) 25%, transparent); }
.problem { background: var(--bad-ground); border-color: color-mix(in srgb, var(--bad) 25%, transparent); }
.warning { background: var(--warn-ground); border-color: color-mix(in srgb, var(--warn) 30%, transparent); }
.warning a, .problem a, .notice a { color: inherit; text-decoration-color: currentColor; }
main > :is(.notice, .problem), .settings > div > :is(.notice, .problem) { display: flex; gap: .5rem; }
.notice > .icon, .problem > .icon { margin-top: .125rem; }
.notice > .icon { color: var(--good); }
.problem > .icon { color: var(--bad); }
.field .problem { background: none; border: 0; color: var(--bad); padding: 0; margin-bottom: 0; font-size: .8125rem; }
.empty { display: grid; justify-items: center; gap: .25rem; padding: 3.5rem 1.5rem; text-align: center; }
.empty > .icon { width: 2.75rem; height: 2.75rem; padding: .75rem; border-radius: .75rem; background: var(--sunken); color: var(--soft); margin-bottom: .75rem; stroke-width: 1.5; }
.empty h2 { margin: 0; }
.empty p { color: var(--soft); max-width: 30rem; }
.empty .row { margin-top: 1rem; justify-content: center; }
.comments { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; }
.comment { display: flex; flex-direction: column; gap: .5rem; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: .625rem; background: var(--surface); min-width: 0; }
.comment blockquote { margin: 0; overflow-wrap: anywhere; }
.comment footer { margin-top: auto; display: flex; gap: .5rem; align-items: center; color: var(--soft); font-size: .8125rem; line-height: 1.25rem; min-width: 0; }
.comment footer a { color: inherit; text-decoration: none; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.comment footer .subject { display: inline; }
.comment .time { flex: none; white-space: nowrap; }
.comment footer a:hover { text-decoration: underline; }
.score { flex: none; display: inline-grid; place-items: center; min-width: 1.625rem; height: 1.25rem; padding: 0 .375rem; border-radius: .3125rem; font-size: .75rem; font-weight: 650; font-variant-numeric: tabular-nums; background: var(--sunken); color: var(--soft); }
.score.low { background: var(--bad-ground); color: var(--bad); }
.score.high { background: var(--good-ground); color: var(--good); }
.facts { display: grid; grid-template-columns: minmax(8rem, max-content) minmax(0, 1fr); gap: .5rem 1.5rem; }
.facts dt { color: var(--soft); }
.facts + p { margin-top: .75rem; }
.document { max-width: 52rem; line-height: 1.625; }
.document > :first-child { margin-top: 0; }
.document :is(p, ul, ol, pre, .table) { margin-bottom: .75rem; }
.document :is(ul, ol), .card :is(ul, ol):not([class]) { padding-left: 1.25rem; }
.tools { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14rem), 1fr)); gap: .75rem; list-style: none; margin: 1rem 0; padding: 0; }
.tools a { display: flex; gap: .75rem; align-items: center; height: 100%; padding: .875rem; background: var(--surface); border: 1px solid var(--line); border-radius: .75rem; color: inherit; text-decoration: none; }
.tools a:hover { border-color: var(--edge); }
.tools a > span > * { display: block; }
.card :is(ul, ol):not([class]) { margin-bottom: .75rem; }
.card :is(ul, ol):not([class]) > li + li { margin-top: .25rem; }
.cards .facts { grid-template-columns: 1fr; gap: 0; }
.cards .facts dd { margin-bottom: .75rem; color: var(--soft); }
:is(main, .settings > div, #results) > p { margin-bottom: 1rem; }
.tools a span { display: block; min-width: 0; overflow-wrap: anywhere; }
.tool-mark { flex: none; }
.tool-mark text { fill: light-dark(#fff, #10173a); font-size: 16px; font-weight: 600; }
.tool-heading { display: flex; gap: .75rem; align-items: center; margin-bottom: .75rem; }
.tool-heading h2 { margin: 0; }
pre + p { margin-top: .5rem; }
.topics dt { font-weight: 600; }
.topics a { padding: .25rem 0; }
.topics dd { margin-bottom: .75rem; }
@media (max-width: 40rem) {
  .card { padding: 1rem; }
  .section { margin-top: 1.25rem; }
  .metrics { grid-template-columns: 1fr 1fr; }
  .metrics > li:last-child:nth-child(odd) { grid-column: 1 / -1; }
  .metric { padding: .75rem .875rem; }
  .metric .value { font-size: 1.375rem; line-height: 1.75rem; }
  .metric .spark { height: 1.5rem; }
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd { margin-bottom: .625rem; }
}
`;
