import { ToolRefusal } from "../../core/codes.ts";
import { type HeldRoots, pinRoots } from "../../files/pinned-roots.ts";
import type { Session } from "../../session/session.ts";
import type { Judged, Wish } from "../../tools/mcp/ask-server.ts";
import { givenPrompt } from "../../tools/mcp/given-prompt.ts";
import { promptNameOf } from "../../tools/mcp/names.ts";
import { argumentsText, type PromptDefinition } from "../../tools/mcp/prompts.ts";
import type { McpServer } from "../../tools/mcp/server.ts";
import { mcp } from "../../words/contract/mcp.ts";
import { mcpNamed } from "../../words/en/mcp-named.ts";
import { mcpServers as words } from "../../words/en/mcp-servers.ts";
import { type Composition, shellSettings } from "../composition.ts";
import { serverPlace } from "../open-tools.ts";
import { CliProblem } from "../problem.ts";
import { type FoundServer, findServers, serverNames, trustedByEntry } from "./find-servers.ts";
import { keptPictures } from "./given-pictures.ts";
import { judgeOf, refuseDenied } from "./judged.ts";
import { type ServerPlace, serverOf, whyOff } from "./open-servers.ts";
import { promptArguments } from "./prompt-arguments.ts";

/** The session in which the person wants something of a server. */
export type PersonAt = Pick<Session, "id" | "workspace">;

const placeAt = async (composition: Composition, { id, workspace }: PersonAt): Promise<ServerPlace> => ({
  ...(await serverPlace({ ...composition, shell: (at) => shellSettings(composition, at) }, workspace, id)),
  masked: (await composition.secrets())?.masking.text,
});

/** A prompt that can be typed. */
export interface PromptOffer {
  name: string;
  /** One line. */
  text: string;
}

/** Prompts of servers as the person trusted them: no server is asked. Whether one is on is looked at when it is typed. */
export async function promptOffers(composition: Trusting, workspace: string): Promise<PromptOffer[]> {
  const rows = await trustedRows(composition, workspace);
  const names = new Set<string>();
  return rows.flatMap(({ name: server, prompts = [] }) =>
    prompts.flatMap((prompt) => {
      const name = promptNameOf(server, prompt.name);
      if (names.has(name)) return [];
      names.add(name);
      return [{ name, text: offerText(server, prompt) }];
    }),
  );
}

function offerText(server: string, prompt: PromptDefinition): string {
  const described = prompt.description
    .replaceAll(/[\s\p{C}]+/gu, " ")
    .trim()
    .slice(0, 200);
  return [argumentsText(prompt), described, `MCP ${server}`].filter((one) => one !== "").join(" · ");
}

type Trusting = Pick<Composition, "config" | "places" | "trusted">;

const trustedRows = ({ config, places, trusted }: Trusting, workspace: string) =>
  trustedByEntry({
    ...{ named: config.mcpServers, workspace, trustFile: places.servers },
    trusted: () => trusted(workspace),
  });

/** Names of the servers that the person trusts; one of them may be off all the same. */
export const trustedNames = async (composition: Trusting, workspace: string): Promise<ReadonlySet<string>> =>
  new Set((await trustedRows(composition, workspace)).map(({ name }) => name));

/** The server that a typed name begins with: `server:prompt`; undefined where settings name none. */
export async function serverIn(
  { config }: Pick<Composition, "config">,
  workspace: string,
  name: string,
): Promise<string | undefined> {
  const at = name.indexOf(":");
  const server = name.slice(0, at);
  return at > 0 && (await serverNames({ named: config.mcpServers, workspace })).includes(server) ? server : undefined;
}

/**
 * Returns a server's answer to the prompt that was typed: a text that says of itself whose it is, and pictures.
 * @throws CliProblem that says why it cannot be had; the signal's reason
 */
export function typedPrompt(
  composition: Composition,
  at: PersonAt,
  { server: name, typed, argument }: { server: string; typed: string; argument: string },
  signal: AbortSignal,
) {
  return withServer(composition, at, { name, signal }, async (wish, { trusted }, judge) => {
    const prompt = trusted?.prompts?.find((one) => promptNameOf(name, one.name) === typed);
    if (prompt === undefined)
      throw new CliProblem("usage", mcpNamed().noPrompt({ typed, name }), { hint: mcpNamed().noPromptHint({ name }) });
    const given = await givenPrompt(wish, prompt, argumentsOf(prompt, typed, argument), judge);
    const { images, left } = await keptPictures(given.images, signal);
    const head = `"/${typed}${argument === "" ? "" : ` ${argument}`}" (MCP server ${name})`;
    return {
      text: [head, mcp.ofPrompt({ name }), given.text, ...left].filter((one) => one !== "").join("\n\n"),
      calls: [],
      images,
      isServed: true as const,
    };
  });
}

function argumentsOf(prompt: PromptDefinition, typed: string, argument: string): Record<string, string> {
  try {
    return promptArguments(prompt, argument);
  } catch (cause) {
    throw new CliProblem("usage", `/${typed}: ${(cause as Error).message}`, { cause });
  }
}

/** The session's server, or before the session has any one that is started for this alone. @throws CliProblem where it is off or fails */
export async function withServer<T>(
  composition: Composition,
  at: PersonAt,
  { name, signal }: { name: string; signal: AbortSignal },
  use: (wish: Wish, found: FoundServer, judge: Judged) => Promise<T>,
): Promise<T> {
  const own = composition.serverOf(at.id, name);
  // The session has its own, which it opens with its first message.
  const pins = own === undefined ? pinRoots(at.workspace) : undefined;
  try {
    return await withFound(composition, at, { name, signal, own, pins }, use);
  } finally {
    pins?.close();
  }
}

async function withFound<T>(
  composition: Composition,
  at: PersonAt,
  {
    name,
    signal,
    own,
    pins,
  }: { name: string; signal: AbortSignal; own: McpServer | undefined; pins: HeldRoots | undefined },
  use: (wish: Wish, found: FoundServer, judge: Judged) => Promise<T>,
): Promise<T> {
  const place = { ...(await placeAt(composition, at)), pins };
  const found = (await findServers(place, { only: name })).find((one) => one.name === name);
  if (found?.ready === undefined || found.why !== undefined) {
    const why = found?.why ?? words().isGone;
    throw new CliProblem("failed", words().isOff({ name, why }));
  }
  const server = own ?? serverOf(found, found.ready, place, (program) => whyOff(found, place, program));
  const masking = (await composition.secrets())?.masking;
  try {
    await refuseDenied(composition, at, server);
    const wish = { server, signal, mayAsk: composition.person.isThere, masking };
    return await use(wish, found, judgeOf(composition, at, server));
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error;
    throw new CliProblem("failed", masking?.text(error.message) ?? error.message, { cause: error });
  } finally {
    if (own === undefined) await server.close();
  }
}
