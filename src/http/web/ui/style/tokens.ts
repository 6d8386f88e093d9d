// The design tokens: colors of both themes, fonts, radii and shadows.

export const tokensStyle = `:root {
  color-scheme: light dark;
  --ground: light-dark(#faf9f7, #131312);
  --surface: light-dark(#ffffff, #1b1b19);
  --raised: light-dark(#ffffff, #242321);
  --sunken: light-dark(#f3f1ed, #252422);
  --chosen: light-dark(#ffffff, #45433d);
  --line: light-dark(#e8e5df, #302f2c);
  --edge: light-dark(#938d82, #7d786f);
  --text: light-dark(#1c1b18, #eeece7);
  --soft: light-dark(#645f56, #aaa59b);
  --accent: light-dark(#3350cc, #9aaeff);
  --accent-ground: light-dark(#edf0fd, #252a47);
  --on-accent: light-dark(#ffffff, #10173a);
  --good: light-dark(#14693e, #79cf9d);
  --good-ground: light-dark(#e6f4eb, #1b3326);
  --bad: light-dark(#b0261c, #ff9f94);
  --bad-ground: light-dark(#fdecea, #40201c);
  --warn: light-dark(#855106, #efbb66);
  --warn-ground: light-dark(#fdf3e0, #3a2c12);
  --chart-1: light-dark(#3b5bdb, #8ea4ff);
  --chart-2: light-dark(#c05a17, #f2a365);
  --chart-3: light-dark(#11806a, #5cc9ae);
  --chart-4: light-dark(#9340b5, #d09df0);
  --chart-5: light-dark(#767168, #a09b91);
  --shadow: 0 1px 2px light-dark(rgb(40 34 20 / 6%), rgb(0 0 0 / 40%));
  --float: 0 0 0 1px var(--line), 0 8px 24px light-dark(rgb(40 34 20 / 14%), rgb(0 0 0 / 60%));
  --radius: .5rem;
  --font: "Inter Variable", system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", "DejaVu Sans Mono", monospace;
}
`;
