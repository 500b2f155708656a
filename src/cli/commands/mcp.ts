import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { jsonLine } from "../../core/json-line.ts";
import { plainValue } from "../../core/json-text.ts";
import { limits } from "../../core/limits.ts";
import { nearestName } from "../../core/nearest-name.ts";
import { openRegular } from "../../files/bytes/read-regular.ts";
import { readByHand, updatePolicyFile } from "../../policy/files/policy-file.ts";
import { distrustServer } from "../../policy/files/server-trust.ts";
import { addressComplaint, keysIn } from "../../tools/mcp/address.ts";
import {
  entryText,
  hasVariable,
  isReached,
  readEntry,
  serverName,
  shownUrl,
  wrongServerName,
} from "../../tools/mcp/entry.ts";
import { promptNameOf } from "../../tools/mcp/names.ts";
import { earlierLog } from "../../tools/mcp/server-log.ts";
import { mcp } from "../../words/contract/mcp.ts";
import { cells as cellWords } from "../../words/en/cells.ts";
import { mcpCommands } from "../../words/en/mcp-commands.ts";
import { saidAgain } from "../../words/said-again.ts";
import { type Composition, shellSettings } from "../composition.ts";
import { browserEntry, findChromium } from "../mcp/browser-entry.ts";
import { type FoundServer, findServers, type Look } from "../mcp/find-servers.ts";
import { logFileOf, type ServerPlace } from "../mcp/open-servers.ts";
import { markOf } from "../mcp/sign-in-store.ts";
import { type SignInRow, signInStateOf } from "../mcp/signed-in.ts";
import { serverPlace } from "../open-tools.ts";
import { CliProblem } from "../problem.ts";
import { withSetting } from "../settings/write-setting.ts";
import { cleanEffect, cleanLine } from "../ui/safe-text.ts";

export const placeIn = (at: Composition): Promise<ServerPlace> =>
  serverPlace({ ...at, shell: (workspace) => shellSettings(at, workspace) }, at.workspace);

/** `agent mcp list`: each server of the settings and of the project, whether it is on, and what it is started by. */
export async function listMcp(at: Composition): Promise<number> {
  const { io, flags } = at;
  const place = await placeIn(at);
  const found = await findServers(place);
  for (const one of found) {
    const signIn = await signInStateOf(one, place);
    if (flags.json === true) io.stdout.write(jsonLine({ ...rowOf(one), ...(signIn === undefined ? {} : { signIn }) }));
    else io.stdout.write(cleanEffect(linesOf(one, signIn)));
  }
  if (found.length === 0 && flags.json !== true) io.stderr.write(`${mcpCommands().none}\n`);
  return 0;
}

export const rowOf = ({ name, origin, entry, why, trusted }: FoundServer): JsonObject => ({
  name,
  source: origin,
  state: why === undefined ? "on" : "off",
  ...(why === undefined ? {} : { why }),
  ...(entry === undefined
    ? {}
    : isReached(entry)
      ? { url: shownUrl(entry.url), headers: Object.keys(entry.headers) }
      : { command: entry.command, args: [...entry.args], env: Object.keys(entry.env) }),
  ...(trusted === undefined ? {} : { tools: trusted.tools.map(({ name: tool }) => tool) }),
  ...(trusted?.prompts === undefined
    ? {}
    : { prompts: trusted.prompts.map(({ name: prompt }) => promptNameOf(name, prompt)) }),
});

function linesOf({ name, origin, entry, why, trusted }: FoundServer, signIn: SignInRow | undefined): string {
  const count = trusted?.tools.length ?? 0;
  const typed = (trusted?.prompts ?? []).map((prompt) => cleanLine(`/${promptNameOf(name, prompt.name)}`));
  const prompts = typed.length === 0 ? "" : cellWords().andPrompts({ prompts: typed });
  const state =
    why === undefined
      ? `${cellWords().serverOn({ tools: count })}${prompts}`
      : cellWords().serverOff({ why: cleanLine(saidAgain(why)) });
  const named = cellWords().serverLine({ name: cleanLine(name), isYours: origin === "user", state });
  const line = entry === undefined ? "" : `  ${cleanLine(entryText(entry))}\n`;
  return `${named}\n${line}${signIn === undefined ? "" : signInLine(name, signIn)}`;
}

function signInLine(name: string, row: SignInRow): string {
  if (row.state === "unknown") return `  ${mcpCommands().notRead({ why: cleanLine(row.why) })}\n`;
  return row.state === "in"
    ? `  ${mcpCommands().signedIn({ host: cleanLine(row.host ?? "") })}\n`
    : `  ${mcpCommands().needsSignIn({ command: mcp.login({ name: cleanLine(name) }) })}\n`;
}

/** The options that `agent mcp add` is given beside name and command, each as `NAME=VALUE` or `Name: value`. */
export interface AddOptions {
  env: readonly string[];
  url?: string | undefined;
  headers: readonly string[];
  isPrivate: boolean;
  /** It is a browser: by `--browser`, or by its name where nothing else is said of it. */
  isBrowser: boolean;
  chromium?: string | undefined;
}

/** `agent mcp add NAME -- COMMAND…`, `--url URL` or `browser`: into the person's config.json, where all else stays as it is. */
export async function addMcp(at: Composition, words: readonly string[], options: AddOptions): Promise<number> {
  const { io, places, config } = at;
  const [name = "", ...command] = words;
  if (!serverName.test(name)) throw new CliProblem("usage", `${JSON.stringify(name)}: ${wrongServerName}`);
  const isBrowser = options.isBrowser || (name === "browser" && command.length === 0 && options.url === undefined);
  if (!isBrowser && options.chromium !== undefined)
    throw new CliProblem("usage", mcpCommands().ofBrowser, { hint: mcpCommands().ofBrowserHint });
  if (Object.hasOwn(config.mcpServers, name))
    throw new CliProblem("usage", mcpCommands().isThere({ name }), { hint: mcpCommands().isThereHint({ name }) });
  const entry = isBrowser
    ? await browserEntryOf(at, command, options)
    : options.url === undefined
      ? startedEntry(command, options)
      : reachedEntry(options.url, command, options);
  await updatePolicyFile(places.config, (text) => withServer(text, places.config, name, entry));
  io.stderr.write(`${mcpCommands().wrote({ name, file: cleanLine(places.config) })}\n`);
  for (const header of writtenKeys(entry))
    io.stderr.write(`${mcpCommands().valueStands({ header: cleanLine(header) })}\n`);
  return 0;
}

async function browserEntryOf(
  { io }: Composition,
  command: readonly string[],
  { env, url, headers, isPrivate, chromium }: AddOptions,
): Promise<JsonObject> {
  if (url !== undefined || env.length > 0 || headers.length > 0 || isPrivate)
    throw new CliProblem("usage", mcpCommands().browserAlone);
  const found = await findChromium(chromium, io.env["PATH"]);
  io.stderr.write(`${mcpCommands().browser({ program: cleanLine(found) })}\n`);
  return browserEntry(found, command);
}

function startedEntry([command = "", ...args]: readonly string[], { env, headers, isPrivate }: AddOptions): JsonObject {
  if (command === "") throw new CliProblem("usage", mcpCommands().noCommand, { hint: mcpCommands().noCommandHint });
  if (headers.length > 0 || isPrivate) throw new CliProblem("usage", mcpCommands().ofUrl);
  return { command, args, ...(env.length === 0 ? {} : { env: Object.fromEntries(env.map(variableOf)) }) };
}

function reachedEntry(url: string, command: readonly string[], { env, headers, isPrivate }: AddOptions): JsonObject {
  if (command.length > 0 || env.length > 0) throw new CliProblem("usage", mcpCommands().notStarted);
  const entry = {
    type: "http",
    url,
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers.map(headerOf)) }),
    ...(isPrivate ? { private: true } : {}),
  };
  const read = readEntry(entry);
  // With variables in it the address is looked at when they are known.
  const wrong =
    typeof read === "string" ? read : isReached(read) && !hasVariable(url) ? addressComplaint(read, "user") : undefined;
  if (wrong !== undefined) throw new CliProblem("usage", wrong);
  return entry;
}

/** Headers whose values may be keys and name no variable. */
function writtenKeys(given: JsonObject): string[] {
  const entry = readEntry(given);
  if (typeof entry === "string" || !isReached(entry)) return [];
  const isKey = (name: string, value: string): boolean =>
    !hasVariable(value) &&
    keysIn({ ...entry, headers: { [name]: value } }, { ...entry, headers: { [name]: value } }).length > 0;
  return Object.entries(entry.headers).flatMap(([name, value]) => (isKey(name, value) ? [name] : []));
}

function variableOf(given: string): [string, string] {
  const at = given.indexOf("=");
  if (at < 1) throw new CliProblem("usage", cellWords().notNameValue({ given: JSON.stringify(given) }));
  return [given.slice(0, at), given.slice(at + 1)];
}

/** Nothing of what may be a key is told. */
function headerOf(given: string): [string, string] {
  const at = given.indexOf(":");
  if (at < 1) throw new CliProblem("usage", mcpCommands().noHeader);
  return [given.slice(0, at).trim(), given.slice(at + 1).trim()];
}

/** The text of the settings with the server in it, or without it. */
const withServer = (text: string | undefined, file: string, name: string, entry: JsonObject | undefined): string =>
  withSetting(text, file, ["mcpServers", name], entry);

/** `agent mcp remove NAME`: out of the person's config.json, and its trust and the sign-in at it with it. */
export async function removeMcp(at: Composition, name: string): Promise<number> {
  const { io, places, config } = at;
  if (!Object.hasOwn(config.mcpServers, name)) {
    const found = await findOne(at, name);
    throw new CliProblem("usage", mcpCommands().isProjects({ name: cleanLine(found.name) }), {
      hint: mcpCommands().isProjectsHint,
    });
  }
  await updatePolicyFile(places.config, (text) => {
    const root = text === undefined ? undefined : plainValue(readByHand(text, places.config));
    const named = isJsonObject(root) ? root["mcpServers"] : undefined;
    return isJsonObject(named) && Object.hasOwn(named, name)
      ? withServer(text, places.config, name, undefined)
      : undefined;
  });
  await distrustServer(places.servers, { name });
  const named = { name, origin: "user" as const };
  const place = await placeIn(at);
  io.stderr.write(`${mcpCommands().removed({ name })}\n`);
  if (markOf(named, place) !== "none") await (await import("./mcp-sign-out.ts")).signOut(io, named, place);
  return 0;
}

/** @param look with the files of this one, for a person to see */
export async function findOne(at: Composition, name: string, look: Look = {}): Promise<FoundServer> {
  const found = await findServers(await placeIn(at), look);
  const one = found.find((server) => server.name === name);
  if (one !== undefined) return one;
  const near = nearestName(
    name,
    found.map((server) => server.name),
  );
  throw new CliProblem("usage", mcpCommands().noServer({ name }), {
    hint: near === undefined ? mcpCommands().listHint : mcpCommands().near({ name: near }),
  });
}

/** `agent mcp logs NAME`: what it said that was no message, the earlier first. */
export async function logsOfMcp(at: Composition, name: string): Promise<number> {
  const found = await findOne(at, name);
  const file = logFileOf(at.places.logs, found, at.workspace);
  const texts = [await logText(earlierLog(file)), await logText(file)].flatMap((text) => text ?? []);
  if (texts.length === 0) at.io.stderr.write(`${mcpCommands().saidNothing({ name })}\n`);
  for (const text of texts) at.io.stdout.write(cleanEffect(text));
  return 0;
}

/** Of a log the end, where several sessions made it longer; undefined where there is none. */
async function logText(file: string): Promise<string | undefined> {
  try {
    const { handle, stats } = await openRegular(file, file);
    try {
      const most = 4 * limits.mcpLog.most;
      const bytes = Buffer.alloc(Math.min(stats.size, most));
      const { bytesRead } = await handle.read(bytes, 0, bytes.length, stats.size - bytes.length);
      return bytes.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    const why = error instanceof Error ? error.message : String(error);
    throw new CliProblem("failed", mcpCommands().unreadLog({ why: cleanLine(why) }), { cause: error });
  }
}
