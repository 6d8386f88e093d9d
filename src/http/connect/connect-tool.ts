// A tool that reads campaigns from the service, and how a user connects it.

export interface ConnectTool {
  /** The name of its folder in `connectors/` and of its page in `docs/connect/`. */
  id: string;
  name: string;
  /** How long it takes somebody who knows the tool and has a key. */
  minutes: number;
  /** Reads the SQL views as a role of the database, so it needs neither the URL of the service nor a key. */
  usesViews?: true;
  /** Opens a CSV link, so it needs no key. */
  usesCsvLink?: true;
  /** Asks over MCP, which an operator has to turn on. */
  usesMcp?: true;
  /** One to three short steps. */
  steps: readonly ConnectStep[];
  /** What the user enters in the tool, with `{{address}}`. */
  url?: string;
  /** The files to download. */
  files: readonly ConnectorFile[];
  /** A short script to copy. */
  lines?: { language: string; path: string };
  refresh: string;
  /** What it cannot do. */
  limits: string;
  /** Which parts were run, where, and which were not. The documentation has it, the page does not. */
  tested: string;
}

/** Texts and commands may contain `{{address}}`, `{{organization}}` and `{{key}}`. */
export interface ConnectStep {
  /** A sentence or two, with code between backquotes. */
  text: string;
  /** Lines to copy. Where there are several, the text says which one is for whom. */
  commands?: readonly string[];
}

/** A tool in the tables: most steps are a text, and files are paths below `connectors/`. */
export interface ToolEntry extends Omit<ConnectTool, "steps" | "files"> {
  steps: readonly (string | ConnectStep)[];
  files?: readonly string[];
}

export interface ConnectorFile {
  /** The path below `connectors/`. */
  path: string;
  /** The name of the downloaded file. */
  name: string;
  contentType: string;
}
