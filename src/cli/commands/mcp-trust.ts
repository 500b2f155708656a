import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { jsonLine } from "../../core/json-line.ts";
import { trustServer } from "../../policy/files/server-trust.ts";
import { isUnencrypted, namedHost } from "../../tools/mcp/address.ts";
import { askServer } from "../../tools/mcp/ask-server.ts";
import { changeOf, newTools, type ServerTools } from "../../tools/mcp/definitions.ts";
import { entryText, isReached, type ReachedEntry, type ServerEntry, unpinnedPackage } from "../../tools/mcp/entry.ts";
import type { Era } from "../../tools/mcp/modern/envelope.ts";
import { promptNameOf } from "../../tools/mcp/names.ts";
import { argumentsText, listPrompts, promptChange, type ServerPrompts } from "../../tools/mcp/prompts.ts";
import { codeFolders } from "../../tools/mcp/start-files.ts";
import { mcpTrust } from "../../words/en/mcp-trust.ts";
import type { Composition } from "../composition.ts";
import { askLine, atTerminal } from "../io.ts";
import { type FoundServer, findServer, isSameStart, scriptsToBind, startPlaceOf } from "../mcp/find-servers.ts";
import { type ServerPlace, serverOf, whyOff } from "../mcp/open-servers.ts";
import { CliProblem } from "../problem.ts";
import { catchSignals } from "../signals.ts";
import { cleanEffect, cleanLine } from "../ui/safe-text.ts";
import { findOne, placeIn, rowOf } from "./mcp.ts";

/** `agent mcp trust NAME`: what would be started is shown, then started once the person says so; then its tools, which they trust as they are. */
export async function trustMcp(at: Composition, name: string, yes: boolean): Promise<number> {
  const { io, flags, places, workspace } = at;
  const found = await findOne(at, name, { toShow: name });
  const { entry, ready, why, waits } = found;
  if (entry === undefined || ready === undefined || (why !== undefined && waits !== true))
    throw new CliProblem("failed", mcpTrust().cannot({ name, why: cleanLine(why ?? mcpTrust().cannotStart) }));
  if (why === undefined) io.stderr.write(`${mcpTrust().already({ name })}\n`);
  const place = await placeIn(at);
  const shown = cleanEffect(await shownOf(found, ready, place));
  if (flags.json !== true) io.stdout.write(shown);
  else if (!yes) io.stderr.write(shown);
  if (!(await agreed(at, yes, mcpTrust().toSee({ isReached: isReached(ready), name })))) return declined(at);
  const differs = async (program?: string): Promise<string | undefined> => {
    const now = await findServer(place, found, { toShow: name, program });
    return now !== undefined && isSameStart(found, now) ? undefined : mcpTrust().isOther;
  };
  // How it speaks is found out anew: it may be another version by now.
  const { trusted: _, ...untold } = found;
  const now = await lookAt(at, { found: untold, place, refuses: differs });
  if (typeof now === "number") {
    declined(at);
    return now;
  }
  showOffered(at, found, now);
  if (!(await agreed(at, yes, mcpTrust().trust({ what: offeredWords(now) })))) return declined(at);
  const row = {
    name,
    ...(found.origin === "project" ? { workspace } : {}),
    entry: found.hashes,
    scripts: scriptsToBind(found, place),
  };
  const changed = await differs();
  if (changed !== undefined) throw new CliProblem("failed", mcpTrust().notTrusted({ name, why: changed }));
  await trustServer(places.servers, {
    ...row,
    tools: now.tools.tools,
    ...(now.prompts.prompts.length === 0 ? {} : { prompts: now.prompts.prompts }),
    era: now.era,
    at: Date.now(),
  });
  io.stderr.write(`${mcpTrust().trusted({ name, hasTools: now.tools.tools.length > 0 })}\n`);
  return 0;
}

/** @throws CliProblem where there is nothing to be trusted */
function showOffered({ io, flags }: Composition, found: FoundServer, now: Looked): void {
  if (flags.json === true)
    io.stdout.write(jsonLine({ ...rowOf(found), ...toolRows(now.tools), ...promptRows(found.name, now.prompts) }));
  else io.stdout.write(cleanEffect(shownTools(now.title, now.tools, found) + shownPrompts(now.prompts, found)));
  if (now.tools.tools.length + now.prompts.prompts.length === 0 && !now.hasResources)
    throw new CliProblem("failed", mcpTrust().hasNothing({ name: found.name }));
}

/** Returns the text that a person is to read before it is started or asked. */
async function shownOf(found: FoundServer, ready: ServerEntry, place: ServerPlace): Promise<string> {
  if (isReached(ready)) return shownAddress(found, ready);
  return shownEntry(found, await codeFolders(ready, startPlaceOf(found, place)));
}

/** The exit code of what the person did not agree to. @param said that it was left as it is */
export function declined({ io }: Composition, said: string = mcpTrust().declined): number {
  io.stderr.write(`${said}\n`);
  return 1;
}

export async function agreed(
  { io, flags }: Composition,
  yes: boolean,
  question: string,
  command = "trust",
): Promise<boolean> {
  if (yes) return true;
  if (!atTerminal(io))
    throw new CliProblem("usage", mcpTrust().asks({ command }), { hint: mcpTrust().asksHint({ command }) });
  const out = flags.json === true ? io.stderr : io.stdout;
  const answer = await askLine(io.stdin, out, question);
  return answer?.trim() === "yes";
}

function shownEntry({ entry, scripts, origin }: FoundServer, folders: Awaited<ReturnType<typeof codeFolders>>): string {
  if (entry === undefined || isReached(entry)) return "";
  const package_ = unpinnedPackage(entry);
  const env = Object.entries(entry.env).map(
    ([name, value]) => `  ${mcpTrust().withSetting({ setting: cleanLine(`${name}=${value}`) })}\n`,
  );
  return [
    `${mcpTrust().startedBy({ isYours: origin === "user", entry: cleanLine(entryText({ ...entry, env: {} })) })}\n`,
    ...env,
    ...Object.entries(scripts).map(
      ([path, sha]) => `  ${mcpTrust().runs({ path: cleanLine(path), sha: sha.slice(0, 12) })}\n`,
    ),
    ...(package_ === undefined ? [] : [`${mcpTrust().unpinned({ name: cleanLine(package_) })}\n`]),
    ...(origin === "project" && Object.keys(scripts).length === 0 ? [`${mcpTrust().inWorkspace}\n`] : []),
    ...folders.map(
      ({ name, folder }) => `${mcpTrust().looksFor({ variable: cleanLine(name), folder: cleanLine(folder) })}\n`,
    ),
    ...(entry.isBrowser === true ? [browserWords()] : []),
    ...modelLines(entry),
    `${mcpTrust().outside}\n`,
  ].join("");
}

const modelLines = ({ sampling }: ServerEntry): string[] => (sampling === undefined ? [] : [`${mcpTrust().mayAsk}\n`]);

const browserWords = (): string =>
  [`${mcpTrust().proxy}\n`, ...(process.getuid?.() === 0 ? [`${mcpTrust().isRoot}\n`] : [])].join("");

/** As it is written: what stands for a variable may be a key. */
export function shownAddress({ entry, origin }: FoundServer, ready: ReachedEntry): string {
  const { host, port } = namedHost(ready);
  if (entry === undefined || !isReached(entry)) return "";
  const names = Object.keys(ready.headers);
  return [
    `${mcpTrust().spokenTo({ isYours: origin === "user", entry: cleanLine(entryText({ ...entry, headers: {} })) })}\n`,
    ...names.map((name) => `  ${mcpTrust().header({ name: cleanLine(name) })}\n`),
    ...signInLines(ready),
    ...(isUnencrypted(ready) ? [`${mcpTrust().unencrypted}\n`] : []),
    ...modelLines(entry),
    ...(ready.isPrivate ? [`${mcpTrust().isPrivate}\n`] : []),
    `${mcpTrust().goesTo({ host: cleanLine(host), port })}\n`,
  ].join("");
}

function signInLines({ oauth }: ReachedEntry): string[] {
  if (oauth === undefined) return [];
  const { clientId, scopes = [], redirectPort } = oauth;
  return [
    ...(clientId === undefined ? [] : [`  ${mcpTrust().asClient({ client: cleanLine(clientId) })}\n`]),
    ...(scopes.length === 0 ? [] : [`  ${mcpTrust().forScopes({ scopes: scopes.map(cleanLine) })}\n`]),
    ...(redirectPort === undefined ? [] : [`  ${mcpTrust().comesBack({ port: redirectPort })}\n`]),
  ];
}

function shownTools(title: string, { tools, leftOut }: ServerTools, { trusted }: FoundServer): string {
  const said = tools.map((tool) => {
    const before = trusted?.tools.find(({ name }) => name === tool.name);
    const change =
      before === undefined
        ? trusted === undefined
          ? ""
          : mcpTrust().freshMark
        : changeMark(changeOf(before, { tools, leftOut }));
    const unchecked =
      tool.unchecked === undefined ? "" : `  ${mcpTrust().unchecked({ why: cleanLine(tool.unchecked) })}\n`;
    const names = Object.keys(isJsonObject(tool.inputSchema["properties"]) ? tool.inputSchema["properties"] : {});
    const text = tool.description === "" ? [] : barred(tool.description);
    const schema = tool.unchecked === undefined ? barred(JSON.stringify(tool.inputSchema, null, 2)) : [];
    const head = `${cleanLine(tool.name)}(${names.map(cleanLine).join(", ")})${change}\n`;
    return [head, ...text, unchecked, ...schema].join("");
  });
  return [
    `${mcpTrust().has({ title: cleanLine(title), tools: tools.length })}\n`,
    ...said,
    ...leftOut.map(({ name, why }) => `${mcpTrust().leftOut({ name: cleanLine(name), why: cleanLine(why) })}\n`),
  ].join("");
}

function offeredWords({ tools, prompts }: Looked): string {
  const { these } = mcpTrust();
  if (tools.tools.length > 0) return prompts.prompts.length > 0 ? these.both : these.tools;
  return prompts.prompts.length > 0 ? these.prompts : mcpTrust().forResources;
}

/** Each by what a person types for it. */
function shownPrompts({ prompts, leftOut }: ServerPrompts, { name: server, trusted }: FoundServer): string {
  if (prompts.length + leftOut.length === 0) return "";
  const said = prompts.map((prompt) => {
    const before = trusted?.prompts?.find(({ name }) => name === prompt.name);
    const isNew = before === undefined && trusted !== undefined;
    const change = before === undefined ? undefined : promptChange(before, { prompts, leftOut });
    const head = `/${cleanLine(promptNameOf(server, prompt.name))}${cleanLine(argumentsText(prompt))}`;
    const named = prompt.arguments.filter(({ description }) => description !== "");
    return [
      `${head}${isNew ? mcpTrust().freshMark : changeMark(change)}\n`,
      ...(prompt.description === "" ? [] : barred(prompt.description)),
      ...named.flatMap((one) => barred(`${one.name}: ${one.description}`)),
    ].join("");
  });
  return [
    `${mcpTrust().prompts({ count: prompts.length })}\n`,
    ...said,
    ...leftOut.map(({ name, why }) => `${mcpTrust().leftOut({ name: cleanLine(name), why: cleanLine(why) })}\n`),
  ].join("");
}

const promptRows = (server: string, { prompts, leftOut }: ServerPrompts): JsonObject =>
  prompts.length + leftOut.length === 0
    ? {}
    : {
        prompts: prompts.map((prompt) => ({
          name: prompt.name,
          typed: promptNameOf(server, prompt.name),
          description: prompt.description,
          arguments: prompt.arguments.map((one) => ({ ...one })),
        })),
        promptsLeftOut: leftOut.map(({ name, why }) => ({ name, why })),
      };

const barred = (text: string): string[] => text.split("\n").map((line) => `  │ ${line}\n`);

const changeMark = (change: string | undefined): string =>
  change === undefined ? "" : mcpTrust().changeMark({ change });

const toolRows = ({ tools, leftOut }: ServerTools): JsonObject => ({
  tools: tools.map(({ name, description, inputSchema, unchecked }) => ({
    name,
    description,
    schema: inputSchema,
    ...(unchecked === undefined ? {} : { unchecked }),
  })),
  leftOut: leftOut.map(({ name, why }) => ({ name, why })),
});

interface Look {
  found: FoundServer;
  place: ServerPlace;
  refuses: (program?: string) => Promise<string | undefined>;
}

interface Looked {
  title: string;
  era: Era;
  tools: ServerTools;
  prompts: ServerPrompts;
  hasResources: boolean;
}

// Keeps cli 9.
/**
 * Starts it for a look, and ends it: it shows what it has where a person is there, though it asks nothing now. A signal ends it as a session does, so that no
 * sign-in that is being made anew is lost.
 * @returns the exit code of the signal that came
 */
async function lookAt({ io }: Composition, { found, place, refuses }: Look): Promise<Looked | number> {
  if (found.ready === undefined) throw new CliProblem("failed", mcpTrust().cannotBeStarted({ name: found.name }));
  const server = serverOf(found, found.ready, place, refuses);
  const stop = new AbortController();
  const signals = catchSignals(io.stdout, () => stop.abort(new Error(mcpTrust().stopped)));
  try {
    const wish = { server, signal: stop.signal, mayAsk: true };
    const looked = await askServer(wish, "its prompts", async (ready, signal) => ({
      title: ready.title,
      era: ready.era,
      tools: ready.tools,
      prompts: await listPrompts(ready, signal),
      hasResources: ready.has.resources,
    })).finally(() => server.close());
    return signals.came() ?? looked;
  } catch (error) {
    const code = signals.came();
    if (code !== undefined) return code;
    const why = error instanceof Error ? error.message : String(error);
    throw new CliProblem("failed", cleanLine(why), {
      hint: mcpTrust().logsHint({ name: found.name }),
      cause: error,
    });
  } finally {
    signals.release();
  }
}

/** `agent mcp test NAME`: starts it, and tells what of its tools is another than was trusted. @returns 1 where anything is */
export async function testMcp(at: Composition, name: string): Promise<number> {
  const { io, flags } = at;
  const found = await findOne(at, name);
  if (found.why !== undefined) throw new CliProblem("failed", mcpTrust().isOffNow({ name, why: cleanLine(found.why) }));
  const place = await placeIn(at);
  const now = await lookAt(at, { found, place, refuses: (program) => whyOff(found, place, program) });
  if (typeof now === "number") return now;
  const { title, tools, prompts } = now;
  const before = found.trusted?.tools ?? [];
  const changed = before.flatMap((tool) => {
    const change = changeOf(tool, tools);
    return change === undefined ? [] : [{ name: tool.name, why: change }];
  });
  const known = found.trusted?.prompts ?? [];
  for (const prompt of known) {
    const change = promptChange(prompt, prompts);
    if (change !== undefined) changed.push({ name: `/${promptNameOf(name, prompt.name)}`, why: change });
  }
  const isKnown = (prompt: { name: string }): boolean => known.some((one) => one.name === prompt.name);
  const fresh = prompts.prompts.filter((prompt) => !isKnown(prompt));
  const added = [...newTools(before, tools), ...fresh.map((prompt) => `/${promptNameOf(name, prompt.name)}`)];
  if (flags.json === true) io.stdout.write(jsonLine({ name, title, tools: before.length, changed, added }));
  else {
    const lines = [
      `${mcpTrust().works({ name, title: cleanLine(title), tools: before.length, prompts: known.length })}\n`,
      ...changed.map(({ name: tool, why }) => `${mcpTrust().isOff({ name: cleanLine(tool), why })}\n`),
      ...added.map((tool) => `${mcpTrust().isNew({ name: cleanLine(tool) })}\n`),
    ];
    io.stdout.write(cleanEffect(lines.join("")));
  }
  if (changed.length + added.length > 0) io.stderr.write(`${mcpTrust().look({ name })}\n`);
  return changed.length > 0 ? 1 : 0;
}
