// Charts and heat maps.

export const chartsStyle = `.figure { min-width: 0; }
.figure figcaption { font-weight: 600; font-size: 1rem; line-height: 1.5rem; letter-spacing: -.006em; }
.figure figcaption :is(h2, h3) { font: inherit; }
.figure > .card-head { margin-bottom: .75rem; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; padding: 0; font-size: .8125rem; line-height: 1.25rem; color: var(--soft); }
.legend li { display: inline-flex; align-items: center; gap: .375rem; }
.sample { flex: none; width: 1.25rem; height: .75rem; }
.plot { display: grid; grid-template-columns: auto minmax(0, 1fr); }
.axis { display: block; overflow: visible; font-size: .75rem; }
.plot text { fill: var(--soft); font-size: .75rem; font-family: var(--font); font-variant-numeric: tabular-nums; }
.area { position: relative; min-width: 0; container-type: inline-size; }
.area > svg { display: block; width: 100%; overflow: visible; }
.grid { stroke: var(--line); stroke-width: 1; shape-rendering: crispEdges; }
.grid.zero { stroke: color-mix(in srgb, var(--edge) 55%, var(--line)); }
.line { fill: none; stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; stroke-linecap: round; }
.under { stroke: none; }
.patterns { position: absolute; }
.shade-top { stop-color: var(--chart-1); stop-opacity: .16; }
.shade-end { stop-color: var(--chart-1); stop-opacity: 0; }
.hatch { stroke: var(--edge); stroke-width: 1; opacity: .35; }
.s1 { fill: var(--chart-1); stroke: var(--chart-1); }
.s2 { fill: var(--chart-2); stroke: var(--chart-2); }
.s3 { fill: var(--chart-3); stroke: var(--chart-3); }
.s4 { fill: var(--chart-4); stroke: var(--chart-4); }
.s5 { fill: var(--chart-5); stroke: var(--chart-5); }
.s-good { fill: var(--good); stroke: var(--good); }
.s-neutral { fill: var(--chart-5); stroke: var(--chart-5); }
.s-bad { fill: var(--bad); stroke: var(--bad); }
svg.spark .line { stroke-width: 1.5; }
svg.spark .under { fill-opacity: .1; }
svg.spark .columns { stroke: none; fill-opacity: .7; }
rect.s1, rect.s2, rect.s3, rect.s4, rect.s5 { stroke-width: 0; }
.hits { position: absolute; inset: 0 0 1.75rem; overflow-x: clip; touch-action: pan-y; display: grid; grid-auto-flow: column; grid-auto-columns: minmax(0, 1fr); }
.hit { position: relative; display: block; color: inherit; text-decoration: none; outline-offset: -2px; }
.hit > svg, .hit > .tip { opacity: 0; pointer-events: none; }
.hit:is(:hover, :focus-visible, .on) > :is(svg, .tip) { opacity: 1; }
.hit > svg { display: block; width: 100%; height: 100%; overflow: visible; background: linear-gradient(var(--edge) 0 0) 50% 100% / 1px calc(100% - 8px) no-repeat; }
.hit > svg circle { cx: 50%; r: 4.5px; stroke: var(--surface); stroke-width: 2; }
.tip { position: absolute; z-index: 4; top: .25rem; left: calc(50% + .75rem); display: grid; grid-template-columns: auto auto; gap: 0 1rem; width: max-content; max-width: 15rem; padding: .5rem .75rem; border-radius: .5rem; background: var(--raised); box-shadow: var(--float); font-size: .8125rem; line-height: 1.375rem; }
.hit.late > .tip { left: auto; right: calc(50% + .75rem); }
.tip b { grid-column: 1 / -1; }
.tip > span { color: var(--soft); }
.tip small { font-weight: 400; color: var(--soft); }
.tip > i { font-style: normal; text-align: right; font-variant-numeric: tabular-nums; font-weight: 550; }
.data > summary { display: inline-block; color: var(--soft); font-size: .8125rem; padding: .25rem 0; margin: .25rem 0 -.25rem; }
.data > summary:hover { color: var(--text); }
.data .table { margin-top: .5rem; max-height: 24rem; overflow-y: auto; }
.data td { text-align: right; }
@container (max-width: 799px) { .from-page { display: none; } }
@container (max-width: 479px) {
  .from-card { display: none; }
  .hit { position: static; }
  .hit > .tip, .hit.late > .tip { inset: auto 0 calc(100% + .25rem); width: auto; max-width: none; }
}
@container not (max-width: 351px) { .until-phone { display: none; } }
@container not (max-width: 479px) { .until-card { display: none; } }
@container not (max-width: 799px) { .until-page { display: none; } }
@container (max-width: 351px) { .from-phone { display: none; } }
.heat { width: 100%; table-layout: fixed; border-spacing: 2px; margin-top: .25rem; }
.heat-scale { display: flex; gap: 2px; align-items: center; margin-top: .5rem; color: var(--soft); font-size: .75rem; }
.heat-scale i:first-of-type { margin-left: .375rem; }
.heat-scale i:last-of-type { margin-right: .375rem; }
.heat-scale i { width: .875rem; height: .875rem; border-radius: .1875rem; }
.heat th, .heat td { border: 0; padding: 0; line-height: 1rem; font-size: .6875rem; color: var(--soft); font-weight: 400; overflow: visible; }
.heat thead th { text-align: left; white-space: nowrap; font-size: .6875rem; }
.heat .label { float: left; width: 0; }
.heat th:first-child, .heat .corner { width: 2.5rem; }
.heat th[scope=row] { font-size: .75rem; }
.heat .corner { height: auto; background: none; }
.heat tbody td { height: 1.375rem; border-radius: .1875rem; background: var(--sunken); position: relative; }
.heat-scale .h0, .heat td.h0 { background: var(--sunken); }
.heat-scale .h1, .heat td.h1 { background: color-mix(in oklab, var(--chart-1) 14%, var(--surface)); }
.heat-scale .h2, .heat td.h2 { background: color-mix(in oklab, var(--chart-1) 28%, var(--surface)); }
.heat-scale .h3, .heat td.h3 { background: color-mix(in oklab, var(--chart-1) 42%, var(--surface)); }
.heat-scale .h4, .heat td.h4 { background: color-mix(in oklab, var(--chart-1) 58%, var(--surface)); }
.heat-scale .h5, .heat td.h5 { background: color-mix(in oklab, var(--chart-1) 76%, var(--surface)); }
.heat-scale .h6, .heat td.h6 { background: var(--chart-1); }
.heat tbody td:hover { outline: 2px solid var(--text); outline-offset: -1px; }
@media (hover: none) {
  .hits:has(> .on) > .hit:not(.on) > :is(svg, .tip) { opacity: 0; }
}
@media print { .hits { display: none; } }
`;
