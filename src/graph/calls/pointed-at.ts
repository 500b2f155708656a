import { relative } from "node:path";
import { type LookAlike, lookAlikes } from "../../core/look-alikes.ts";
import type { FilePlan, Plan } from "../../core/tool.ts";

/** More words than these are only counted. */
const mostNamed = 3;

/**
 * The plan with a warning for each place where letters look like others: paths, hosts, the command, and lines that come new into
 * a file. Warnings are for the eyes, so no digest changes by them. Pure.
 */
export function pointedAt(plan: Plan): Plan {
  const { files = [], hosts = [], command = "", cwd } = plan;
  const paths = files.flatMap(({ asked, real }) => [asked, relative(cwd, real)]);
  const names = hosts.map(({ host }) => host);
  const warnings = [
    ...warningOf("a path", paths.flatMap(lookAlikes)),
    ...warningOf("a host", names.flatMap(lookAlikes)),
    ...warningOf("the command", lookAlikes(command)),
    ...files.flatMap((file) => warningOf(relative(cwd, file.real), newWords(file))),
  ];
  return warnings.length === 0 ? plan : { ...plan, warnings: [...(plan.warnings ?? []), ...warnings] };
}

/** Words that the file did not have in the lines that go. */
function newWords({ hunks }: FilePlan): LookAlike[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const found = lines.filter(({ kind }) => kind === "+").flatMap(({ text }) => lookAlikes(text));
  if (found.length === 0) return [];
  const old = new Set(
    lines.filter(({ kind }) => kind === "-").flatMap(({ text }) => lookAlikes(text).map(({ word }) => word)),
  );
  return found.filter(({ word }) => !old.has(word));
}

function warningOf(where: string, found: readonly LookAlike[]): string[] {
  const byWord = [...new Map(found.map((one) => [one.word, one])).values()];
  if (byWord.length === 0) return [];
  const named = byWord.slice(0, mostNamed).map(({ word, why }) => `“${word.slice(0, 80)}” (${why})`);
  const more = byWord.length > named.length ? [`${byWord.length - named.length} more`] : [];
  return [`letters that look like others in ${where}: ${[...named, ...more].join(", ")}`];
}
