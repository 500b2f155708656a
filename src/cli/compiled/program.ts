import type * as program from "../chat-entry.ts";
import { Scripts } from "./scripts.ts";

/** The program, which lies in scripts beside what the build compiled of them. */
export const scripts: Scripts = new Scripts(new URL("./", import.meta.url));

export const { buildProgram, commandWords, helpLayout, main, startChat } = scripts.run(
  "program",
) as unknown as typeof program;
