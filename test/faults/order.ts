import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";

/** What is tried, as far as its turn goes by it. */
export interface InTurn {
  name: string;
  /** One of each comes before all else: a point, or a scene. */
  place: string;
}

/** An order of the same cases for each seed: one of each place, then the others, in no order of their own. So a part of them, however many, is of all kinds. */
export function inTurn<One extends InTurn>(cases: readonly One[], seed: string): One[] {
  const lot = new Map(cases.map((one) => [one, createHash("sha256").update(`${seed}\n${one.name}`).digest("hex")]));
  const drawn = cases.toSorted((one, other) => ((lot.get(one) ?? "") < (lot.get(other) ?? "") ? -1 : 1));
  const firsts = new Set(new Map(drawn.toReversed().map((one) => [one.place, one])).values());
  return [...drawn.filter((one) => firsts.has(one)), ...drawn.filter((one) => !firsts.has(one))];
}

/** The commit that is tried, so that another part comes with the next one; empty outside of a repository. */
export function commitTried(): string {
  try {
    return execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return "";
  }
}
