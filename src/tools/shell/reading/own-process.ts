import { resolve } from "node:path";
import { pid } from "node:process";
import type { PlannedCommand } from "../../../core/command.ts";
import { shellDoubts } from "../../../words/contract/shell-doubts.ts";

const ours = new RegExp(`^/proc/(?:self|thread-self|${pid})(?:/|$)|^/dev/fd(?:/|$)`, "u");
/** Names of the files that a command has open already. */
export const openByName = /^\/dev\/(?:stdin|stdout|stderr|fd\/\d+)$/u;
/** Programs whose words are text. */
const printers = new Set(["echo", "printf"]);

const isOurs = (path: string): boolean => path.startsWith("/") && ours.test(path) && !openByName.test(path);

/**
 * /proc/self is one process where a line is judged and another one where it runs: it is never what was looked at.
 * @returns why the line is refused, in words.
 */
export function findOwnProcess(commands: readonly PlannedCommand[]): string | undefined {
  const found = commands.find((command) => wordsOf(command).some(isOurs) || placesOf(command).some(isOurs));
  return found === undefined ? undefined : shellDoubts.own_process;
}

const placesOf = ({ paths, redirects, program, cwd, scripts = [] }: PlannedCommand): string[] => [
  ...paths.flatMap(({ asked, real }) => [asked, real]),
  ...redirects.flatMap(({ asked, real }) => [asked ?? "", real ?? ""].filter((path) => path.startsWith("/"))),
  ...scripts.map(({ path }) => path),
  program ?? "",
  cwd ?? "",
];

/** Words, and what stands behind a sign that joins a value to its name, as paths without detours. */
function wordsOf({ argv }: PlannedCommand): string[] {
  const [program] = argv;
  const words = printers.has(program ?? "") ? [] : argv.filter((word) => word !== null);
  return words.flatMap((word) =>
    /proc|dev/u.test(word)
      ? [word, ...word.split(/[=@:,]/u)].filter((one) => one.startsWith("/")).map((one) => resolve("/", one))
      : [],
  );
}
