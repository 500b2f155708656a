import { parseRules } from "../../policy/files/rules.ts";
import { importing } from "../../words/en/importing.ts";
import { CliProblem } from "../problem.ts";
import { type Entry, type FoundSetting, type Gathered, hidesSomething, type Reach } from "./found.ts";
import { withoutSecrets } from "./masked.ts";

/** More rules than this nobody has written, and nobody reads. */
const mostRules = 1_000;

/** The one of several rules that decides there: the strictest, as here, or the last that fits. */
export type Order = "strictest" | "last";

/**
 * Settles each rule. An allow is written only where no deny or ask might take it back there that is not written here: else it would allow
 * more than it did.
 * @throws CliProblem where there are more rules than can be looked at.
 */
export async function settled({ found, entries }: Gathered, order: Order): Promise<FoundSetting[]> {
  const files = [...new Set(entries.map(({ from }) => from))].join(", ");
  if (entries.length > mostRules) throw new CliProblem("failed", importing().tooManyRules({ files, mostRules }));
  const shown: Entry[] = [];
  for (const entry of entries) shown.push({ ...entry, said: await sayable(entry) });
  return [
    ...found,
    ...shown.flatMap((entry, at) => {
      if ("why" in entry.said) return [leftOut(entry, entry.said.why)];
      const behind =
        entry.decision === "allow" ? takenBack(entry, order === "last" ? shown.slice(at + 1) : shown) : undefined;
      if (behind !== undefined) return [leftOut(entry, importing().mayTakeBack({ rule: nameOf(behind) }))];
      const { scope, from, was } = entry;
      return entry.said.map((rule): FoundSetting => ({ kind: "rule", scope, from, was, rule }));
    }),
  ];
}

/** Returns the rules that this version would load. */
async function sayable({ was, said, scope, from }: Entry): Promise<Entry["said"]> {
  if ("why" in said) return said;
  if (hidesSomething(was)) return { why: importing().unseen };
  if (withoutSecrets(was) !== was) return { why: importing().secret };
  const parsed = await parseRules(JSON.stringify({ rules: said }), from, scope);
  return "rules" in parsed ? said : { why: parsed.problems.map(({ message }) => message).join("; ") };
}

function leftOut({ scope, from, was, decision, isFile }: Entry, why: string): FoundSetting {
  if (isFile === true) return { kind: "unread", scope, from, why };
  const restricts = decision === "allow" ? {} : { restricts: true as const };
  return { kind: "left_out", scope, from, what: withoutSecrets(was), why, ...restricts };
}

const takenBack = ({ reach }: Entry, others: readonly Entry[]): Entry | undefined =>
  others.find((other) => other.decision !== "allow" && "why" in other.said && mayMeet(reach, headKnown(other)));

/** Returns the reach as far as its head is known: signs that cannot be seen in a text may change its beginning. */
const headKnown = ({ reach, was }: Entry): Reach => (hidesSomething(was) ? { ...reach, head: "" } : reach);

const mayMeet = (allowed: Reach, held: Reach): boolean =>
  held.of === "all" ||
  (held.of === allowed.of && (allowed.head.startsWith(held.head) || held.head.startsWith(allowed.head)));

const nameOf = ({ isFile, from, was }: Entry): string => (isFile === true ? from : `"${withoutSecrets(was)}"`);
