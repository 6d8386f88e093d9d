// The style sheet of the web application: light and dark, from 360 pixels wide.

import { baseStyle } from "./style/base.ts";
import { chartsStyle } from "./style/charts.ts";
import { controlsStyle } from "./style/controls.ts";
import { partsStyle } from "./style/parts.ts";
import { printStyle } from "./style/print.ts";
import { shellStyle } from "./style/shell.ts";
import { tablesStyle } from "./style/tables.ts";
import { tokensStyle } from "./style/tokens.ts";

/** Later parts override earlier ones. */
export const style = [
  tokensStyle,
  baseStyle,
  shellStyle,
  controlsStyle,
  partsStyle,
  tablesStyle,
  chartsStyle,
  printStyle,
].join("");
