import { ToolRefusal } from "../../core/codes.ts";
import type { HookEvent, HookSaid } from "../../core/hooks.ts";
import { type JsonObject, sha256 } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import type { ToolContext } from "../../core/tool.ts";
import { bytesOfOutput } from "../../process/capped-output.ts";
import { feedsFrom, runChild } from "../../process/run-child.ts";
import { type ShellSettings, surroundingsOf } from "../shell/running/surroundings.ts";
import { hookAnswer, unheard } from "./hook-answer.ts";

/** One hook as the settings have it. */
export interface HookSetting {
  /** A pattern that the whole name of a tool has to fit; without it all tools are meant. */
  matcher?: string | undefined;
  command: string;
  /** Seconds. */
  timeout?: number | undefined;
}

export type HookSettings = Readonly<Partial<Record<HookEvent, readonly HookSetting[]>>>;

/** A hook that is to be run. */
export interface Hook {
  /** By which its runs are known: the same command of the same event is one hook. */
  readonly id: string;
  readonly command: string;
  /** The tool's name, as the matcher knows it. */
  readonly toolName: string;
  run(input: JsonObject, ctx: HookContext): Promise<HookSaid>;
}

export type HookContext = Pick<ToolContext, "signal" | "noteChild" | "pins"> & {
  workspace: string;
  /** Takes the values of secrets out of what it says, before a part of that is cut out. */
  mask(text: string): string;
};

/** The hooks of the person's settings. */
export interface Hooks {
  /** Those that mean this tool, or the event itself, in their order. */
  of(event: HookEvent, toolName?: string): readonly Hook[];
}

interface Surroundings {
  /** The settings by which commands of hooks get a part of the agent's environment: as commands of the model do. */
  shell: Pick<ShellSettings, "env" | "shellEnv" | "shellPath">;
  /** Names that other programs have for tools, each with ours. */
  aliases: Readonly<Record<string, readonly string[]>>;
  /** The folders where the agent works: no program that lies there is found by its name. */
  roots: readonly string[];
}

export function createHooks(settings: HookSettings, surroundings: Surroundings): Hooks {
  return {
    of(event, toolName) {
      const found = new Map<string, Hook>();
      for (const setting of settings[event] ?? []) {
        const name = toolName === undefined ? "" : nameFor(setting, toolName, surroundings.aliases);
        if (name === undefined) continue;
        const id = sha256(`${event}\n${setting.command}`);
        if (!found.has(id)) found.set(id, hookOf(event, setting, { id, name, surroundings }));
      }
      return [...found.values()];
    },
  };
}

/** The name by which the matcher means the tool: another program's where that has one, else ours; undefined where it means another. */
function nameFor(
  { matcher = "" }: HookSetting,
  toolName: string,
  aliases: Surroundings["aliases"],
): string | undefined {
  const others = Object.keys(aliases).filter((name) =>
    (aliases[name] ?? []).some((ours) => ours.replace(/\*$/u, "") === toolName),
  );
  if (matcher === "" || matcher === "*") return others[0] ?? toolName;
  const pattern = new RegExp(`^(?:${matcher})$`, "u");
  return [...others, toolName].find((name) => pattern.test(name));
}

interface Meant {
  id: string;
  name: string;
  surroundings: Surroundings;
}

/** The shell line that runs a hook, whose input stands at another descriptor: the gate of a child has closed its stdin. */
const script = `exec <&${feedsFrom(0)} ${feedsFrom(0)}<&- 4>&- && exec /bin/sh -c "$0"`;

function hookOf(event: HookEvent, { command, timeout }: HookSetting, { id, name, surroundings }: Meant): Hook {
  const seconds = timeout ?? limits.hookTime.most / 1000;
  return {
    id,
    command,
    toolName: name,
    async run(input, { workspace, mask, ...ctx }) {
      const { env } = surroundingsOf(surroundings.shell, surroundings.roots, { network: true, sandbox: false });
      const spec = {
        ...{ program: "/bin/sh", args: ["-c", script, command], cwd: workspace, env },
        ...{ timeoutMs: seconds * 1000, maxOutputBytes: limits.hookOutput.most },
        ...{ reports: true, feeds: [Buffer.from(`${JSON.stringify(input)}\n`)] },
      };
      try {
        const { stdout, stderr, ...end } = await runChild(spec, ctx);
        const said = { stdout: bytesOfOutput(stdout).toString("utf8"), stderr: bytesOfOutput(stderr).toString("utf8") };
        return hookAnswer(event, { ...end, ...said, isCut: stdout.omitted > 0 }, { seconds, mask });
      } catch (error) {
        if (error instanceof ToolRefusal) return unheard(event, `it could not be run: ${mask(error.message)}`);
        if (ctx.signal.aborted) return unheard(event, "it was stopped before it had begun");
        throw error;
      }
    },
  };
}
