import { withoutCredentials } from "../../model/base-url.ts";
import { type ListedModel, listModels } from "../../model/model-list.ts";
import type { ModelFailure } from "../../model/port.ts";
import { type Server, serverNames, serverOf } from "../../model/servers.ts";
import { parseModelSpec } from "../../model/spec.ts";
import { keyChoice as words } from "../../words/en/key-choice.ts";
import { askHidden } from "../ask-hidden.ts";
import type { Composition } from "../composition.ts";
import { askLine } from "../io.ts";
import { cleanText } from "../terminal/sanitise.ts";

/** The start that the person chose instead. */
export interface OtherStart {
  model: string;
  /** A variable with a key that was typed. */
  env?: Readonly<Record<string, string>>;
}

/** Milliseconds for a server that may not be there. */
const lookMs = 1_000;

/** So many models are shown at once. */
const mostShown = 20;

/** One line of the choice; undefined from `take`: it came to nothing, and is asked anew. */
interface Way {
  text: string;
  take(): Promise<OtherStart | undefined>;
}

/**
 * Asks at the terminal, in plain lines, what to begin with where the model has no key: the tour, a server of this machine that answers, one whose key is set, or a key
 * that is typed, which stays in this process. Servers elsewhere are asked only once they were chosen.
 * @returns undefined where the person left
 */
export async function chooseStart(
  composition: Composition,
  { message }: Pick<ModelFailure, "message">,
): Promise<OtherStart | undefined> {
  const { stdin, stdout } = composition.io;
  const ways = await waysOf(composition);
  const lines = ways.map(({ text }, at) => `  ${at + 1}  ${text}`);
  if (!ways.some(({ isHere }) => isHere)) lines.splice(1, 0, `     ${words().none}`);
  stdout.write(cleanText(`${words().title({ why: message })}\n\n${lines.join("\n")}\n\n`));
  for (;;) {
    const typed = await askLine(stdin, stdout, words().ask({ most: ways.length }));
    if (typed === undefined) return undefined;
    const way = ways[Number(/^\s*(\d{1,3})\s*$/.exec(typed)?.[1] ?? 0) - 1];
    if (way === undefined) stdout.write(`${words().noNumber({ most: ways.length })}\n`);
    const start = await way?.take();
    if (start !== undefined) return start;
  }
}

async function waysOf(composition: Composition): Promise<(Way & { isHere?: true })[]> {
  const { io, config, model } = composition;
  const servers = serverNames(config.servers).flatMap((name) => serverOf(name, config.servers, io.env) ?? []);
  const free = servers.filter(({ apiKeyEnv }) => apiKeyEnv === undefined);
  const found = await Promise.all(free.map((server) => hereOf(composition, server)));
  const asked = parseModelSpec(model);
  const lacking = servers.find(({ name }) => asked?.kind === "server" && name === asked.server);
  return [
    { text: words().tour, take: async () => ({ model: "demo" }) },
    ...found.flat(),
    ...servers.flatMap((server) => keyedOf(composition, server)),
    ...(lacking?.apiKeyEnv === undefined ? [] : [typedOf(composition, lacking.name, lacking.apiKeyEnv)]),
  ];
}

/** A server without a key, where it answers now. */
async function hereOf(composition: Composition, server: Server): Promise<(Way & { isHere: true })[]> {
  const signal = AbortSignal.timeout(lookMs);
  const models = await listModels(server, { env: composition.io.env, signal }).catch(() => []);
  if (models.length === 0) return [];
  const url = withoutCredentials(server.baseUrl);
  const text = words().here({ server: server.name, url, models: models.length });
  return [{ text, isHere: true, take: () => chooseModel(composition, server.name, models) }];
}

/** A server whose key the environment has. */
function keyedOf(composition: Composition, server: Server): Way[] {
  const { io } = composition;
  const { name, apiKeyEnv } = server;
  if (apiKeyEnv === undefined || !io.env[apiKeyEnv]?.trim()) return [];
  const take = async (): Promise<OtherStart | undefined> => {
    io.stdout.write(`${words().asking({ server: name })}\n`);
    try {
      return await chooseModel(composition, name, await listModels(server, { env: io.env }));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      io.stdout.write(cleanText(`${words().notListed({ server: name, why })}\n`));
      return undefined;
    }
  };
  return [{ text: words().keyed({ server: name, key: apiKeyEnv }), take }];
}

const typedOf = ({ io, model }: Composition, server: string, key: string): Way => ({
  text: words().typed({ server }),
  async take() {
    const typed = (await askHidden(io, words().key({ key })))?.trim();
    if (typed === undefined) return undefined;
    const isKey = /^[!-~]+$/.test(typed);
    io.stdout.write(`${isKey ? words().keepsKey({ key }) : words().noKey}\n`);
    return isKey ? { model, env: { [key]: typed } } : undefined;
  },
});

/** By its number among those that are shown, its name, or a part of it, which shows those that have it. */
async function chooseModel(
  { io }: Composition,
  server: string,
  models: readonly ListedModel[],
): Promise<OtherStart | undefined> {
  const ids = models.map(({ id }) => id).filter((id) => parseModelSpec(`${server}:${id}`)?.kind === "server");
  const all = [...new Set(ids)].sort();
  if (all.length === 0) return noneOf(io, server);
  if (all.length === 1) return startWith(io, `${server}:${all[0]}`);
  let shown = showModels(io, all);
  for (;;) {
    const typed = (await askLine(io.stdin, io.stdout, words().askModel({ most: shown.length })))?.trim();
    if (typed === undefined) return undefined;
    const id = all.includes(typed) ? typed : shown[/^\d+$/.test(typed) ? Number(typed) - 1 : -1];
    if (id !== undefined) return startWith(io, `${server}:${id}`);
    const having = all.filter((one) => one.toLowerCase().includes(typed.toLowerCase()));
    if (having.length === 0) io.stdout.write(cleanText(`${words().noModel({ typed })}\n`));
    else shown = showModels(io, having);
  }
}

function noneOf({ stdout }: Composition["io"], server: string): undefined {
  stdout.write(cleanText(`${words().notListed({ server, why: words().noneNamed })}\n`));
}

function showModels({ stdout }: Composition["io"], ids: readonly string[]): readonly string[] {
  const shown = ids.slice(0, mostShown);
  const rest = ids.length - shown.length;
  const lines = shown.map((id, at) => `  ${String(at + 1).padStart(2)}  ${id}`);
  stdout.write(
    cleanText(`${[...lines, ...(rest === 0 ? [] : [`      ${words().more({ count: rest })}`])].join("\n")}\n`),
  );
  return shown;
}

/** A shell takes it as it stands. */
const plain = /^[\w@%+=:,./-]+$/;

/**
 * Returns a start with this model. The command that begins so the next time is told where the name is a plain one: it is the server's, and
 * would be pasted into a shell.
 */
function startWith({ stdout }: Composition["io"], model: string): OtherStart {
  if (plain.test(model)) stdout.write(`${words().nextTime({ command: `agent chat -m ${model}` })}\n`);
  return { model };
}
