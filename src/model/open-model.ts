import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { openRegular, readBounded } from "../files/bytes/read-regular.ts";
import { entryFor, type ModelEntry } from "./model-entries.ts";
import { type Model, ModelFailure, type ToolFormat } from "./port.ts";
import type { Clock } from "./retrying.ts";
import type { ServerSettings } from "./servers.ts";
import { modelSpecs, noModelText, noServerText, parseModelSpec } from "./spec.ts";
import { withTextCalls } from "./text-calls/with-text-calls.ts";

export interface OpenModelOptions {
  /** Read for keys, endpoints and proxies; nothing else looks at the environment. */
  env: Record<string, string | undefined>;
  /** Of `openai`; wins over OPENAI_BASE_URL. */
  baseUrl?: string;
  /** Servers of the person's own by name, or what is to be other of a known one. */
  servers?: Readonly<Record<string, ServerSettings>>;
  /** The person's entries of models, by spec or pattern. */
  models?: Readonly<Record<string, ModelEntry>>;
  /** Tokens; wins over what is known of the model. */
  contextWindow?: number;
  /** Milliseconds without a byte after which a request is given up; by default as the server has it. */
  idleMs?: number;
  /** The folder that a relative `script:FILE` is relative to. */
  cwd?: string;
  /** Reads the file of `script:FILE`, for a program that keeps its scripts elsewhere. Default: from disk, up to a bound. */
  readFile?: (path: string) => Promise<string>;
  /** Let the demo appear word by word, as at a terminal. */
  pace?: boolean;
  /** The way in which the model calls tools: the protocol's own (the default), or XML in its text. */
  toolFormat?: ToolFormat;
  /** Waits, chance and time, for tests. */
  clock?: Partial<Clock>;
}

/**
 * The model of a spec: `SERVER:NAME`, `demo` or `script:FILE`. Nothing is sent yet, and the client library
 * is loaded only with the first request.
 * @throws ModelFailure, with a hint: unknown spec or server, no key, a script that is missing or malformed.
 */
export async function openModel(spec: string, options: OpenModelOptions): Promise<Model> {
  const asked = parseModelSpec(spec);
  if (asked === undefined) throw new ModelFailure("refused", noModelText(spec), { hint: modelSpecs });
  if (asked.kind === "server") return openAtServer(asked, options);
  const model = asked.kind === "demo" ? await openDemoModel(options) : await openScriptFile(asked.file, options);
  return inFormat(model, options.toolFormat);
}

/** The same model, which calls tools in this way. */
export const inFormat = async (model: Model, format: ToolFormat | undefined): Promise<Model> =>
  format === "xml" ? (await import("./xml/with-xml-calls.ts")).withXmlCalls(model) : model;

const openDemoModel = async ({ pace = false }: OpenModelOptions): Promise<Model> =>
  (await import("./demo.ts")).openDemo({ pace });

async function openAtServer(asked: { server: string; name: string }, options: OpenModelOptions): Promise<Model> {
  const { env, baseUrl, contextWindow, idleMs, clock, servers = {} } = options;
  const [{ openOpenAI }, { readsCallsAt, serverOf, serverNames }] = await Promise.all([
    import("./openai.ts"),
    import("./servers.ts"),
  ]);
  const server = serverOf(asked.server, servers, env);
  if (server === undefined)
    throw new ModelFailure("refused", noServerText(asked.server, serverNames(servers)), {
      hint: `Name it in config.json: "servers": {"${asked.server}": {"baseUrl": "http://…/v1"}}`,
    });
  const entry = entryFor(`${asked.server}:${asked.name}`, options.models ?? {});
  const moved = asked.server === "openai" ? baseUrl : undefined;
  const at =
    moved === undefined ? server : { ...server, baseUrl: moved, readsCalls: readsCallsAt(asked.server, moved) };
  const native = openOpenAI({
    ...{ model: asked.name, server, entry, env },
    ...(moved === undefined ? {} : { baseUrl: moved }),
    ...(contextWindow === undefined ? {} : { contextWindow }),
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(clock === undefined ? {} : { clock }),
  });
  const format = options.toolFormat ?? entry.toolFormat;
  const model = format === "xml" ? await inFormat(native, format) : withTextCalls(native, at);
  const { withWindow } = await import("./with-window.ts");
  return withWindow(model, {
    known: model.contextWindow,
    find: async (signal) => (await import("./find-window.ts")).windowAt(at, asked.name, { env, signal }),
    isLoadedFirst: at.quirks.loadsFirst === true,
  });
}

/** More than any script has, in bytes. */
const longestScript = 16_000_000;

async function readScript(path: string): Promise<string> {
  const { handle, stats } = await openRegular(await realpath(path), path);
  try {
    return (await readBounded(handle, stats.size, longestScript, path)).toString("utf8");
  } finally {
    await handle.close();
  }
}

async function openScriptFile(file: string, options: OpenModelOptions): Promise<Model> {
  const path = isAbsolute(file) || options.cwd === undefined ? file : resolve(options.cwd, file);
  const read = options.readFile ?? readScript;
  const text = await read(path).catch((cause: unknown) => {
    throw new ModelFailure("script", `The script ${path} cannot be read: ${(cause as Error).message}`, {
      cause,
      hint: "Give an existing file: --model script:FILE",
    });
  });
  const [{ parseScript }, { openScript }] = await Promise.all([import("./script-file.ts"), import("./script.ts")]);
  const spec = `script:${path}`;
  const contextWindow = options.contextWindow ?? entryFor(spec, options.models ?? {}).contextWindow;
  return openScript(parseScript(text, path), { spec, name: path, contextWindow });
}
