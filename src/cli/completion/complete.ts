import { existsSync, realpathSync } from "node:fs";
import type { Names } from "../../store/open-names.ts";
import { placesOf } from "../settings/places.ts";
import { sanitise } from "../terminal/sanitise.ts";
import { cut } from "../terminal/width.ts";
import { type Candidate, candidates } from "./candidates.ts";
import type { CommandWords } from "./command-words.ts";
import { askedAt, joined, unquoted } from "./cursor-word.ts";

export interface CompletionIo {
  stdout: { write(text: string): unknown };
  env: Readonly<Record<string, string | undefined>>;
  cwd(): string;
}

const widest = 60;

/**
 * `agent complete SHELL -- WORDS…`, for the scripts of `agent completion`: what the last word may become, one a line; for zsh and fish
 * with a tab and a few words about it. Reads only, runs nothing of what was typed, and says nothing where something is wrong. Names
 * with control characters are left out.
 */
export async function complete(given: readonly string[], program: CommandWords, io: CompletionIo): Promise<number> {
  const [shell = "", , ...typed] = given;
  const isBash = shell === "bash";
  const { words, kept } = isBash ? joined(typed) : { words: typed, kept: "" };
  let names: Names | undefined;
  try {
    const asked = askedAt(program, shell === "zsh" ? words : words.map(unquoted));
    const found = await candidates(asked, {
      cwd: realpathSync(io.cwd()),
      home: io.env["HOME"],
      names: async () => {
        const { database } = placesOf(io.env);
        if (!existsSync(database)) return undefined;
        names = await (await import("../../store/open-names.ts")).openNames(database);
        return names;
      },
    });
    const fitting = found.filter(({ value }) => value.startsWith(asked.current) && !/\p{Cc}/u.test(value));
    io.stdout.write(
      fitting
        .map((one) => (isBash ? one.value.slice(kept.length) : described(one)))
        .map((line) => `${line}\n`)
        .join(""),
    );
  } catch {
    // Nobody reads an error between the letters of a word.
  } finally {
    names?.close();
  }
  return 0;
}

const described = ({ value, text = "" }: Candidate): string => `${value}\t${cut(sanitise(text), widest)}`;
