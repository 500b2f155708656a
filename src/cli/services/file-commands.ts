import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Brought } from "../../session/sent-message.ts";
import type { Session } from "../../session/session.ts";
import { services as words } from "../../words/en/services.ts";
import { attachedTo } from "../attached-images.ts";
import type { Composition } from "../composition.ts";
import { hasServers } from "../has-servers.ts";
import { CliProblem } from "../problem.ts";
import { type FoundCommands, findCommands } from "../settings/command-files.ts";
import { expandTemplate } from "../settings/command-template.ts";
import { isCommand, parseTyped } from "../typed.ts";

/** Commands that files bring for work in a folder, looked for anew: they may have been written, or trusted, meanwhile. */
export async function commandsIn({ places }: Composition, workspace: string): Promise<FoundCommands> {
  const trusted = async () => (await import("../../policy/files/trust.ts")).trustState(places.trust, workspace);
  return findCommands({ configDir: places.configDir, workspace, isOwn: isCommand, trusted });
}

/** The name of a command and what stands behind it; undefined where a text begins with none. */
function commandIn(text: string): { name: string; argument: string } | undefined {
  const [, name, argument = ""] = /^\/([\w][\w:.-]*)(?:\s+([\s\S]*))?$/u.exec(text.trim()) ?? [];
  return name === undefined ? undefined : { name, argument: argument.trim() };
}

/**
 * Returns the finder of all that comes with a message: of one that begins with the name of a file's command the command's full text, with
 * the calls that it brings; of one that begins with that of a server's prompt the server's answer; of any other its pictures.
 * @throws CliProblem, the finder, where there is no such command, it waits for trust or cannot be expanded.
 */
export function broughtBy(
  composition: Composition,
  text: string,
  at: Pick<Session, "id" | "workspace">,
): ((signal: AbortSignal) => Promise<Brought>) | undefined {
  const pictures = attachedTo(composition, text, at.workspace);
  const typed = commandIn(text);
  if (typed === undefined) return pictures;
  return async (signal) => {
    const found = (await pictures?.()) ?? { images: [], problems: [] };
    return { ...found, stands: await expanded(composition, typed, at, signal) };
  };
}

/** Tells whether a file has the command, or a server of that name may have the prompt. */
export async function hasCommand(composition: Composition, name: string, workspace: string): Promise<boolean> {
  const { commands, leftOut } = await commandsIn(composition, workspace);
  if ([...commands, ...leftOut.filter(({ waits }) => waits === true)].some((one) => one.name === name)) return true;
  return (await serverOfPrompt(composition, name, workspace)) !== undefined;
}

/** The server whose prompt a name may be. Where there are none nothing of servers is loaded. */
async function serverOfPrompt(composition: Composition, name: string, workspace: string): Promise<string | undefined> {
  if (!name.includes(":") || !hasServers(composition, workspace)) return undefined;
  return (await import("../mcp/for-person.ts")).serverIn(composition, workspace, name);
}

async function expanded(
  composition: Composition,
  { name, argument }: { name: string; argument: string },
  at: Pick<Session, "id" | "workspace">,
  signal: AbortSignal,
): Promise<Brought["stands"]> {
  const { workspace } = at;
  const { commands, leftOut } = await commandsIn(composition, workspace);
  const command = commands.find((one) => one.name === name);
  if (command === undefined) {
    const server = await serverOfPrompt(composition, name, workspace);
    if (server !== undefined)
      return (await import("../mcp/for-person.ts")).typedPrompt(
        composition,
        at,
        { server, typed: name, argument },
        signal,
      );
    const left = leftOut.find((one) => one.name === name && !isCommand(name));
    if (left !== undefined) throw new CliProblem("failed", words().leftOut(left));
    return refuseUnknown(name);
  }
  const { template, form, source } = command;
  try {
    const { text, calls } = expandTemplate(template, form, argument, (path) => kindOf(resolve(workspace, path)));
    // Said again as it stands in a session, it is no command.
    return { text: `"/${name}${argument === "" ? "" : ` ${argument}`}" (${source})\n\n${text}`, calls };
  } catch (cause) {
    throw new CliProblem("failed", words().wrong({ name, source, why: (cause as Error).message }), { cause });
  }
}

/** Refuses an unknown command; a word that looks like no command's name is a message. */
function refuseUnknown(name: string): undefined {
  const typed = parseTyped(`/${name}`);
  if (typed.kind === "unknown" && typed.isText) return undefined;
  const why = typed.kind === "command" ? words().ofChat({ name }) : words().noCommand({ name });
  throw new CliProblem("usage", why, { hint: words().slashHint({ name }) });
}

function kindOf(path: string): "file" | "folder" | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found === undefined ? undefined : found.isDirectory() ? "folder" : "file";
  } catch {
    return undefined;
  }
}
