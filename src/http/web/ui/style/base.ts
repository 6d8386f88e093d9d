// The base of all pages: typography, links, focus, icons and transitions.

export const baseStyle = `*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; min-height: 100vh; background: var(--ground); color: var(--text); font: 400 .875rem/1.5 var(--font); font-feature-settings: "cv11", "ss03"; -webkit-font-smoothing: antialiased; }
h1, h2, h3, h4, p, ul, ol, dl, dd, figure, fieldset, pre { margin: 0; }
h1 { font-size: 1.375rem; line-height: 2rem; font-weight: 620; letter-spacing: -.017em; }
h2 { font-size: 1rem; line-height: 1.5rem; font-weight: 600; letter-spacing: -.006em; }
h2 { margin-bottom: .75rem; }
* + h2 { margin-top: 1.75rem; }
.card-head :is(h2, h3), .list-head h3 { margin: 0; }
h3, h4 { font-size: .875rem; line-height: 1.5rem; font-weight: 600; }
h3 { margin: 1.25rem 0 .5rem; }
h4 { margin: 1rem 0 .375rem; }
.card > h3:first-child { margin-top: 0; }
h1, h2, h3, p, li, dd, dt, caption, legend, summary, figcaption { overflow-wrap: anywhere; }
strong, b { font-weight: 600; }
.subject { display: -webkit-inline-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; max-width: 100%; vertical-align: bottom; text-align: match-parent; text-decoration: inherit; }
h1 .subject { -webkit-line-clamp: 3; }
strong, h1, h2, .tag, td.text, th.text { unicode-bidi: isolate; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:not(:hover) { text-decoration-color: color-mix(in srgb, currentColor 35%, transparent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: .25rem; }
.soft { color: var(--soft); }
.small { font-size: .8125rem; line-height: 1.25rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.icon { width: 1rem; height: 1rem; flex: none; fill: none; stroke: currentColor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; vertical-align: -.17em; }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.visually-hidden, .heat :is(td, th) > span:not(.label) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
code, pre, .code { font-family: var(--mono); font-size: .8125rem; overflow-wrap: anywhere; }
pre { background: var(--sunken); border-radius: var(--radius); padding: .75rem 1rem; white-space: pre-wrap; }
#results:focus { outline: 0; }
.skip { position: absolute; left: -100vw; z-index: 9; }
.skip:focus { left: 1rem; top: .5rem; background: var(--raised); padding: .5rem 1rem; box-shadow: var(--float); border-radius: var(--radius); }
@media (prefers-reduced-motion: no-preference) {
  @view-transition { navigation: auto; }
  ::view-transition-old(root), ::view-transition-new(root) { animation-duration: .12s; }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { transition: none !important; animation: none !important; }
}
`;
