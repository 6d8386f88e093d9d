// The step that sets the API key in a terminal, where scripts read it.

import type { ConnectStep } from "./connect-tool.ts";

const forShells = 'export EMAIL_ANALYTICS_KEY="{{key}}"';
const forPowerShell = '$env:EMAIL_ANALYTICS_KEY = "{{key}}"';

export const setKey: ConnectStep = { text: "In a terminal, set your API key:", commands: [forShells] };

export const setKeyInPowerShell: ConnectStep = {
  text: "In PowerShell, set your API key:",
  commands: [forPowerShell],
};

/** The step for programs that also run on Windows. */
export const setKeyAnywhere: ConnectStep = {
  text: "Set your API key with the first line in a terminal of Linux or macOS, or with the second in PowerShell:",
  commands: [forShells, forPowerShell],
};
