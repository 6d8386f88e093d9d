// Runs an Apps Script file in a thread, with stand-ins for the services of Google. UrlFetchApp sends real requests. It waits
// for them as Google's does, so the service must run in another thread.

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createContext, runInContext } from "node:vm";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

interface Script {
  code: string;
  /** Functions to call in order, each with its argument. */
  calls: readonly (readonly [name: string, argument?: unknown])[];
  properties?: Record<string, string>;
}

export interface ScriptRun {
  /** What each call returned, or the message of its error. */
  results: { value?: unknown; error?: string }[];
  /** The cells of each sheet. */
  sheets: Record<string, unknown[][]>;
}

export async function runAppsScript(script: Script): Promise<ScriptRun> {
  const worker = new Worker(new URL(import.meta.url), { workerData: script });
  const [run] = (await once(worker, "message")) as [ScriptRun];
  await worker.terminate();
  return run;
}

if (!isMainThread && parentPort && (workerData as Script | null)?.calls) {
  parentPort.postMessage(runHere(workerData as Script));
}

function runHere({ code, calls, properties = {} }: Script): ScriptRun {
  const sheets: Record<string, unknown[][]> = {};
  const store = new Map(Object.entries(properties));
  const context = createContext({
    UrlFetchApp: { fetch: fetchAndWait },
    PropertiesService: {
      getScriptProperties: () => propertiesOf(store),
      getUserProperties: () => propertiesOf(store),
    },
    SpreadsheetApp: { getActiveSpreadsheet: () => spreadsheetOf(sheets) },
    DataStudioApp: { createCommunityConnector },
  });
  runInContext(code, context);
  const results = calls.map(([name, argument]) => {
    try {
      return { value: (context[name] as (argument: unknown) => unknown)(argument) };
    } catch (error) {
      return { error: (error as Error).message };
    }
  });
  return structuredClone({ results, sheets });
}

function fetchAndWait(url: string, { headers }: { headers: Record<string, string> }) {
  const sent = Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
  const output = execFileSync("curl", ["-sS", "-w", "\n%{http_code}", ...sent, url], { encoding: "utf8" });
  const end = output.lastIndexOf("\n");
  return { getResponseCode: () => Number(output.slice(end)), getContentText: () => output.slice(0, end) };
}

function propertiesOf(store: Map<string, string>) {
  return {
    getProperty: (name: string) => store.get(name) ?? null,
    setProperty: (name: string, value: string) => void store.set(name, value),
    deleteProperty: (name: string) => void store.delete(name),
  };
}

function spreadsheetOf(sheets: Record<string, unknown[][]>) {
  const sheetOf = (name: string) => ({
    clearContents() {
      sheets[name] = [];
    },
    getRange: (row: number, column: number, rows: number, columns: number) => ({
      setValues(values: unknown[][]) {
        // As Google: the range has exactly the size of the values.
        if (values.length !== rows || values.some(({ length }) => length !== columns))
          throw new Error("wrong size");
        if (row !== 1 || column !== 1) throw new Error("this stand-in has the first cell only");
        sheets[name] = values;
      },
    }),
  });
  return {
    getSheetByName: (name: string) => (sheets[name] ? sheetOf(name) : null),
    insertSheet: (name: string) => {
      sheets[name] = [];
      return sheetOf(name);
    },
  };
}

/** Every setter returns the object itself, and every constant is its own name. */
function createCommunityConnector() {
  const names = new Proxy({}, { get: (_target, name) => name });
  return {
    AuthType: names,
    FieldType: names,
    AggregationType: names,
    newAuthTypeResponse: () => recorder(),
    getConfig: () => recorder(),
    newUserError: () => ({
      setText: (text: string) => ({
        throwException: () => {
          throw new Error(text);
        },
      }),
    }),
    getFields: () => fieldsOf([]),
  };
}

type Recorder = Record<string, unknown>;

function recorder(state: Recorder = {}): Recorder {
  const proxy: Recorder = new Proxy(state, {
    get(_target, name) {
      const text = String(name);
      if (text === "build") return () => ({ ...state });
      if (text === "getId") return () => state.id;
      return (value: unknown) => {
        state[text.charAt(3).toLowerCase() + text.slice(4)] = value;
        return proxy;
      };
    },
  });
  return proxy;
}

function fieldsOf(list: Recorder[]) {
  const add = (concept: string) => {
    const field = recorder({ concept });
    list.push(field);
    return field;
  };
  const idOf = (field: Recorder) => (field.getId as () => string)();
  return {
    newMetric: () => add("metric"),
    newDimension: () => add("dimension"),
    setDefaultMetric: () => undefined,
    setDefaultDimension: () => undefined,
    asArray: () => list,
    forIds: (ids: string[]) =>
      fieldsOf(ids.map((id) => list.find((field) => idOf(field) === id) as Recorder)),
    build: () => list.map((field) => (field.build as () => Recorder)()),
  };
}
