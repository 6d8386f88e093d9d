// The frame: rail, main column, settings, and the pages of guests.

export const shellStyle = `body.app { display: grid; grid-template-columns: 15rem minmax(0, 1fr); }
.rail { border-right: 1px solid var(--line); background: var(--surface); view-transition-name: rail; z-index: 5; }
.rail > div { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; }
.rail .top { display: flex; align-items: center; gap: .625rem; padding: 1rem 1rem .75rem; }
.mark { width: 1.75rem; height: 1.75rem; flex: none; }
.mark .plate { fill: light-dark(#3350cc, #8ea4ff); }
.mark .ink { fill: none; stroke: light-dark(#fff, #10173a); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.owner { min-width: 0; flex: 1; display: flex; align-items: center; gap: .5rem; font-weight: 600; color: inherit; text-decoration: none; line-height: 1.25rem; }
.owner > span:first-child { overflow: hidden; text-overflow: ellipsis; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow-wrap: anywhere; }
.region { flex: none; padding: 0 .375rem; border: 1px solid var(--line); border-radius: .25rem; color: var(--soft); font: 500 .6875rem/1.125rem var(--mono); }
.rail .menu-button { display: none; }
.drawer { flex: 1; min-height: 0; display: flex; flex-direction: column; }
.rail nav { flex: 1; overflow-y: auto; padding: .25rem .5rem 1rem; }
.rail ul { list-style: none; padding: 0; display: grid; gap: 1px; }
.rail li a { display: flex; align-items: center; gap: .625rem; padding: .375rem .5rem; border-radius: .375rem; color: var(--soft); text-decoration: none; font-weight: 500; line-height: 1.25rem; }
.rail li a:hover { background: var(--sunken); color: var(--text); }
.rail li a[aria-current] { background: var(--sunken); color: var(--text); font-weight: 600; }
.rail li a[aria-current] .icon { color: var(--accent); }
.rail li .badge { margin-left: auto; }
.rail nav ul + ul { margin-top: .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
.drawer .close { display: none; }
.rail .foot { padding: .5rem; border-top: 1px solid var(--line); display: grid; gap: .125rem; }
.live { display: flex; align-items: center; gap: .625rem; padding: .375rem .5rem; color: var(--soft); text-decoration: none; font-size: .8125rem; line-height: 1.25rem; border-radius: .375rem; }
.live:hover { background: var(--sunken); }
.live::before { content: ""; width: .5rem; height: .5rem; margin: 0 .25rem; border-radius: 50%; flex: none; background: var(--edge); }
.live.on::before { background: var(--good); box-shadow: 0 0 0 3px color-mix(in srgb, var(--good) 18%, transparent); }
.account > summary { display: flex; align-items: center; gap: .625rem; width: 100%; padding: .375rem .5rem; border-radius: .375rem; font-size: .8125rem; line-height: 1.25rem; }
.account > summary:hover, .account[open] > summary { background: var(--sunken); }
.account > summary > span:nth-child(2) { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.account .sheet { left: .25rem; right: .25rem; bottom: calc(100% + .25rem); top: auto; }
.avatar { flex: none; width: 1.5rem; height: 1.5rem; margin: 0 -.25rem; border-radius: 50%; display: grid; place-items: center; background: var(--accent-ground); color: var(--accent); font-size: .6875rem; font-weight: 650; letter-spacing: .02em; }
main { min-width: 0; width: 100%; max-width: 80rem; margin: 0 auto; padding: 1.5rem 2rem 4rem; }
.heading { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; justify-content: space-between; margin-bottom: 1rem; }
.heading > div:first-child { flex: 1 1 min(15rem, 100%); }
.heading .lead { flex-basis: 100%; margin-top: -.375rem; color: var(--soft); }
.crumbs { display: flex; gap: .25rem; align-items: center; color: var(--soft); font-size: .8125rem; line-height: 1.25rem; margin-bottom: .25rem; }
.crumbs a { padding: .25rem 0; margin: -.25rem 0; color: inherit; text-decoration: none; }
.crumbs a:hover { color: var(--text); text-decoration: underline; }
.settings { display: grid; grid-template-columns: 11rem minmax(0, 46rem); gap: 2.5rem; align-items: start; }
.subnav { position: sticky; top: 1.5rem; }
.subnav > p { font-size: .75rem; line-height: 1rem; color: var(--soft); padding: 0 .5rem .375rem; }
.subnav ul { list-style: none; padding: 0; display: grid; gap: 1px; margin-bottom: 1rem; }
.subnav a { display: block; padding: .375rem .5rem; border-radius: .375rem; color: var(--soft); text-decoration: none; font-weight: 500; line-height: 1.25rem; }
.subnav a:hover { background: var(--sunken); color: var(--text); }
.subnav a[aria-current] { background: var(--sunken); color: var(--text); font-weight: 600; }
.print-header { display: none; }
body.guest { display: grid; grid-template-rows: 1fr auto; }
body.guest main { max-width: 25rem; padding: 12vh 1.25rem 2rem; align-self: start; }
body.guest .brand { display: flex; flex-direction: column; align-items: center; gap: .75rem; margin-bottom: 1.5rem; text-align: center; }
body.guest .brand .mark { width: 3rem; height: 3rem; }
body.guest .brand p { display: flex; gap: .5rem; align-items: center; color: var(--soft); }
body.guest .heading { justify-content: center; text-align: center; }
body.guest .card { padding: 1.5rem; }
body.guest main > p { text-align: center; }
body.guest .card :is(button, .button) { width: 100%; justify-content: center; }
body.guest footer { padding: 1rem; text-align: center; color: var(--soft); font-size: .8125rem; }
@media (max-width: 56rem) {
  body.app { display: block; }
  .rail { border-right: 0; border-bottom: 1px solid var(--line); }
  .rail > div { position: static; height: auto; display: block; }
  .rail .top { padding: .5rem 1rem; min-height: 3.5rem; }
  .rail .menu-button { display: inline-flex; }
  .drawer[popover]:not(:popover-open) { display: none; }
  .drawer[popover] { inset: 0 0 0 auto; margin: 0; border: 0; padding: .75rem 0 0; width: min(18rem, 85vw); height: 100dvh; max-height: none; background: var(--surface); color: inherit; box-shadow: var(--float); font-size: 1rem; }
  .drawer .close { display: inline-flex; align-self: flex-end; margin-right: .75rem; }
  .drawer::backdrop { background: rgb(0 0 0 / 40%); }
  .rail li a { padding: .625rem .75rem; }
  .account .sheet { position: static; box-shadow: none; border: 1px solid var(--line); margin-top: .25rem; }
  main { padding: 1rem 1rem 3rem; }
  .settings { display: block; }
  .subnav { position: static; margin: 0 -1rem 1.25rem; padding: 0 1rem; overflow-x: auto; border-bottom: 1px solid var(--line); display: flex; gap: 1rem; }
  .subnav > p { display: none; }
  .subnav ul { display: flex; margin: 0; gap: .25rem; }
  .subnav a { white-space: nowrap; border-radius: 0; padding: .5rem .5rem; border-bottom: 2px solid transparent; }
  .subnav a[aria-current] { background: none; border-bottom-color: var(--accent); }
}
@media (min-width: 56.01rem) {
  .drawer[popover] { position: static; inset: auto; width: auto; height: auto; max-height: none; overflow: visible; margin: 0; padding: 0; border: 0; background: none; color: inherit; }
}
`;
