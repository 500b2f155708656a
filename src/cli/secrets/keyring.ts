import { platform } from "node:process";
import { findProgram } from "../../process/find-program.ts";
import { runChild } from "../../process/run-child.ts";
import { childPath } from "../../tools/shell/running/surroundings.ts";

/** The time for which the keyring is waited for, in milliseconds: one that asks its person for a password is none to wait for. */
const waitMs = 2_000;

/** The system's keyring, asked through its own program; values go in and come out by pipes, never in arguments. */
export interface Keyring {
  program: string;
  /** @returns whether it was kept, which is found out by reading it again */
  set(name: string, value: string): Promise<boolean>;
  /** @returns undefined where it does not give it in time */
  get(name: string, signal?: AbortSignal): Promise<string | undefined>;
  remove(name: string): Promise<boolean>;
}

interface KeyringProgram {
  name: string;
  set(of: Entry, coded: string): { args: string[]; input: string };
  get(of: Entry): string[];
  remove(of: Entry): string[];
}

interface Entry {
  name: string;
  /** The folder that holds the names: another one has secrets of its own. */
  place: string;
}

const attributes = ({ name, place }: Entry): string[] => ["application", "holdfast", "place", place, "name", name];
const account = ({ name, place }: Entry): string[] => ["-a", name, "-s", `holdfast ${place}`];
const quoted = (word: string): string => `"${word.replaceAll(/["\\]/g, "\\$&")}"`;

const programs: Readonly<Partial<Record<NodeJS.Platform, KeyringProgram>>> = {
  linux: {
    name: "secret-tool",
    set: (of, coded) => ({ args: ["store", `--label=holdfast ${of.name}`, ...attributes(of)], input: coded }),
    get: (of) => ["lookup", ...attributes(of)],
    remove: (of) => ["clear", ...attributes(of)],
  },
  darwin: {
    name: "security",
    // Its own commands on stdin: an argument would be seen by everybody.
    set: (of, coded) => ({
      args: ["-i"],
      input: `add-generic-password -U ${account(of).map(quoted).join(" ")} -w ${quoted(coded)}\n`,
    }),
    get: (of) => ["find-generic-password", ...account(of), "-w"],
    remove: (of) => ["delete-generic-password", ...account(of)],
  },
};

interface Around {
  env: Readonly<Record<string, string | undefined>>;
  workspace: string;
  /** The folder of the secrets. */
  place: string;
}

/** Undefined where this system has no such program; one in the workspace is none. */
export async function findKeyring({ env, workspace, place }: Around): Promise<Keyring | undefined> {
  const known = programs[platform];
  const { path } = childPath({ env, shellPath: [] }, [workspace]);
  const program = known && (await findProgram(known.name, "/", path));
  if (known === undefined || program === undefined) return undefined;
  const own = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const ask = async (
    args: readonly string[],
    input = "",
    signal = new AbortController().signal,
  ): Promise<string | undefined> => {
    const end = await runChild(
      {
        program: "/bin/sh",
        args: ["-c", 'exec "$0" "$@" <&5 5<&- 4>&-', program, ...args],
        cwd: "/",
        env: { ...Object.fromEntries(own), PATH: path },
        timeoutMs: waitMs,
        graceMs: 200,
        reports: true,
        feeds: [Buffer.from(input)],
      },
      { signal },
    ).catch(() => undefined);
    return end?.how === "exit" && end.code === 0 ? end.stdout.head.toString("utf8") : undefined;
  };
  const get = async (name: string, signal?: AbortSignal): Promise<string | undefined> => {
    const coded = (await ask(known.get({ name, place }), "", signal))?.trim();
    return coded === undefined || coded === "" ? undefined : Buffer.from(coded, "base64").toString("utf8");
  };
  return {
    program: known.name,
    get,
    async set(name, value) {
      // So that it is one line of ASCII, whatever it holds.
      const { args, input } = known.set({ name, place }, Buffer.from(value).toString("base64"));
      return (await ask(args, input)) !== undefined && (await get(name)) === value;
    },
    remove: async (name) => (await ask(known.remove({ name, place }))) !== undefined,
  };
}
