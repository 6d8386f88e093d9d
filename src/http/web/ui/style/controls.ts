// Controls: buttons, fields, menus, filters, tabs.

export const controlsStyle = `input, select, textarea, button { font: inherit; color: inherit; letter-spacing: inherit; }
button, .button { display: inline-flex; align-items: center; justify-content: center; gap: .375rem; min-height: 2.25rem; padding: .4375rem .875rem; border: 1px solid transparent; border-radius: .4375rem; background: var(--accent); color: var(--on-accent); font-weight: 550; line-height: 1.25rem; cursor: pointer; text-decoration: none; box-shadow: var(--shadow); }
button:hover, .button:hover { background: color-mix(in srgb, var(--accent) 88%, var(--text)); }
button.second, .button.second, .pick > summary { background: var(--surface); border-color: light-dark(#d8d4cc, #45433f); color: var(--text); }
button.second:hover, .button.second:hover, .pick > summary:hover { background: var(--sunken); }
button.danger { background: var(--surface); border-color: light-dark(#e4b9b5, #6d3b36); color: var(--bad); }
button.danger:hover { background: var(--bad-ground); }
button:disabled, button:disabled:hover { background: var(--sunken); border-color: transparent; color: color-mix(in srgb, var(--soft) 65%, var(--sunken)); box-shadow: none; cursor: default; }
[data-copy] { flex: none; white-space: nowrap; }
button.plain { background: none; border: 0; box-shadow: none; padding: .4375rem .5rem; color: inherit; font-weight: 500; }
td button.plain { margin-left: -.5rem; }
button.plain:hover { background: var(--sunken); }
button.small, .button.small, td button, td .button { min-height: 1.75rem; padding: .1875rem .625rem; font-size: .8125rem; }
label { display: block; font-weight: 550; margin-bottom: .375rem; line-height: 1.25rem; }
label.inline { display: inline-flex; min-width: 0; max-width: 100%; gap: .5rem; align-items: center; font-weight: 400; margin: 0; }
input:not([type=checkbox], [type=radio], [type=color]), select, textarea { width: 100%; min-height: 2.25rem; padding: .4375rem .625rem; line-height: 1.25rem; border: 1px solid var(--edge); border-radius: .4375rem; background: var(--surface); }
input::placeholder { color: var(--soft); opacity: 1; }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: -1px; }
input[aria-invalid] { border-color: var(--bad); }
input[type=checkbox], input[type=radio] { width: 1rem; height: 1rem; margin: 0; accent-color: var(--accent); flex: none; }
input[type=color] { width: 3rem; height: 2.25rem; padding: .1875rem; border: 1px solid var(--edge); border-radius: .4375rem; background: var(--surface); }
.field { min-width: 0; margin-bottom: 1.25rem; }
.field > :is(input:not([type=checkbox], [type=radio], [type=color]), textarea) { max-width: 26rem; }
.field > input[inputmode=numeric] { width: 7rem; }
.field > select, td select { width: auto; min-width: 8rem; max-width: 100%; }
.guest .field > input, .fields .field > :is(input, select), .toolbar .field > select { max-width: none; width: 100%; }
td select { min-height: 1.75rem; padding: .1875rem .5rem; font-size: .8125rem; min-width: 6rem; }
.hint { color: var(--soft); font-size: .8125rem; line-height: 1.25rem; margin-top: .375rem; max-width: 36rem; }
.field .problem { margin-top: .375rem; }
.fields { display: flex; flex-wrap: wrap; gap: .75rem; align-items: end; }
.fields > .field { margin: 0; flex: 1 1 11rem; }
.fields > .field.tight { flex: 0 0 auto; }
.fields > .field:has(> select) { flex-basis: auto; }
details > summary { cursor: pointer; }
details:not(.menu) > summary { color: var(--soft); }
details:not(.menu) > summary:hover { color: var(--text); }
.tag-choice { margin-top: .75rem; }
.tag-choice fieldset { border: 0; margin-top: .5rem; padding: 0; min-width: 0; }
.tag-choice legend { color: var(--soft); font-size: .8125rem; padding: 0; }
.tag-choice .boxes { display: flex; flex-wrap: wrap; gap: .375rem 1rem; max-height: 12rem; overflow-y: auto; padding: .375rem .25rem; }
.or { color: var(--soft); text-align: center; margin: .75rem 0; font-size: .8125rem; }
.menu { position: relative; display: inline-block; }
.menu > summary { list-style: none; display: inline-flex; align-items: center; gap: .375rem; }
.menu > summary::-webkit-details-marker { display: none; }
.pick > summary { min-height: 2.25rem; padding: .4375rem .625rem .4375rem .75rem; border: 1px solid light-dark(#d8d4cc, #45433f); border-radius: .4375rem; line-height: 1.25rem; font-weight: 500; box-shadow: var(--shadow); white-space: nowrap; }
.pick > summary .icon:last-child { color: var(--soft); width: .875rem; height: .875rem; }
.pick.on > summary { border-color: color-mix(in srgb, var(--accent) 45%, var(--surface)); background: var(--accent-ground); color: var(--accent); }
.sheet { position: absolute; z-index: 6; top: calc(100% + .25rem); left: 0; min-width: 13rem; max-width: min(24rem, calc(100vw - 2rem)); max-height: max(16rem, 100dvh - 15rem); overflow-y: auto; padding: .375rem; background: linear-gradient(var(--raised), var(--raised)) bottom / 100% 1rem no-repeat local, linear-gradient(transparent, light-dark(rgb(40 34 20 / 18%), rgb(0 0 0 / 60%))) bottom / 100% .625rem no-repeat scroll, var(--raised); border-radius: .625rem; box-shadow: var(--float); }
.menu.end .sheet { left: auto; right: 0; }
.fold .sheet { max-height: max(16rem, 100dvh - 18rem); }
.sheet ul { list-style: none; padding: 0; margin: 0; }
.sheet hr { border: 0; border-top: 1px solid var(--line); margin: .375rem -.375rem; }
.sheet li > a, .sheet li button, .sheet label.inline { display: flex; width: 100%; gap: .5rem; align-items: center; justify-content: flex-start; min-height: 2rem; padding: .375rem .5rem; border-radius: .375rem; color: inherit; font-weight: 400; text-decoration: none; line-height: 1.25rem; }
.sheet li > a:hover, .sheet li button:hover, .sheet label.inline:hover { background: var(--sunken); }
.sheet [aria-current] { font-weight: 600; }
.sheet .check { margin-left: auto; color: var(--accent); }
.sheet fieldset { border: 0; margin: 0; padding: 0; min-width: 0; }
.sheet legend { padding: 0 .5rem .25rem; color: var(--soft); font-size: .75rem; }
.sheet form { padding: .375rem; display: flex; flex-direction: column; gap: .5rem; }
.sheet > form > button:last-child { position: sticky; bottom: 0; box-shadow: 0 0 0 .375rem var(--raised); }
.sheet li form { display: block; padding: 0; }
.sheet .title { font-size: .75rem; color: var(--soft); padding: .25rem .5rem; }
.toolbar { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-bottom: 1.25rem; }
.toolbar .gap { flex: 1; }
.fold-button, .fold-head { display: none; }
.fold[popover] { display: contents; color: inherit; }
.switch-field { display: inline-flex; flex-wrap: wrap; align-items: center; gap: .125rem .5rem; }
.switch { display: inline-flex; padding: .1875rem; gap: .125rem; background: var(--sunken); border-radius: .5rem; }
.switch a { padding: .25rem .625rem; border-radius: .3125rem; color: var(--soft); text-decoration: none; font-weight: 500; line-height: 1.375rem; }
.switch a:hover { color: var(--text); }
.switch a[aria-current] { background: var(--chosen); color: var(--text); box-shadow: var(--shadow); }
.search { position: relative; flex: 0 1 13rem; }
.search .icon { position: absolute; left: .625rem; top: .625rem; color: var(--soft); pointer-events: none; }
.search button { position: absolute; z-index: 1; left: .125rem; top: .125rem; width: 2rem; height: 2rem; padding: 0; }
.search button .icon { left: .5rem; top: .5rem; }
.search input[type=search] { padding-left: 2rem; }
.tabs { display: flex; gap: .75rem; border-bottom: 1px solid var(--line); margin: 0 -.25rem 1.25rem; overflow-x: auto; scrollbar-width: none; }
.card .tabs { margin-bottom: .5rem; }
.tabs a { padding: .5rem .25rem .5625rem; border-bottom: 2px solid transparent; margin-bottom: -1px; color: var(--soft); text-decoration: none; font-weight: 500; white-space: nowrap; }
.tabs a:focus-visible { outline-offset: -2px; }
.tabs a:hover { color: var(--text); }
.tabs a[aria-current] { color: var(--text); border-bottom-color: var(--accent); }
.tabs .count { color: var(--soft); font-weight: 400; margin-left: .25rem; font-variant-numeric: tabular-nums; }
.pages { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; margin-top: .75rem; color: var(--soft); font-size: .8125rem; }
@media (max-width: 40rem) {
  input:not([type=checkbox], [type=radio], [type=color]), select, textarea { font-size: 1rem; }
  button, .button { white-space: normal; overflow-wrap: anywhere; max-width: 100%; }
  .toolbar { margin: 0 -1rem 1rem; padding: 0 1rem; gap: .375rem; }
  .card .tabs { gap: .375rem; }
  .search { flex: 1 1 9rem; }
  :is(.toolbar, .list-head) { position: relative; }
  :is(.toolbar, .list-head) .menu { position: static; }
  :is(.toolbar, .list-head) .menu > .sheet { left: 1rem; right: 1rem; max-width: none; }
  .fold-button { display: inline-flex; }
  .fold-button.on { border-color: color-mix(in srgb, var(--accent) 45%, var(--surface)); }
  .fold[popover] { inset: auto 0 0; width: auto; max-width: none; max-height: 85dvh; margin: 0; padding: .75rem 1rem 1.5rem; border: 0; border-radius: 1rem 1rem 0 0; background: var(--raised); box-shadow: var(--float); }
  .fold[popover]:not(:popover-open) { display: none; }
  .fold:popover-open { display: grid; gap: .5rem; }
  .fold::backdrop { background: rgb(0 0 0 / 40%); }
  .fold-head { display: flex; align-items: center; justify-content: space-between; }
  .fold .menu > summary { display: flex; }
  .fold .menu > summary > span { flex: 1; overflow: hidden; text-overflow: ellipsis; }
  .fold .menu > .sheet { position: static; max-height: none; margin-top: .25rem; background: none; box-shadow: none; }
}
`;
