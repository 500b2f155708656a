import type { Plan } from "../../core/tool.ts";
import { diffOf } from "../../files/diff/diff.ts";
import { diffText, mostShown, type NamedDiff } from "../../files/diff/diff-text.ts";
import type { ArtifactTaken } from "./take-back.ts";

/** Returns the marks of artifacts that a plan keeps: whether they are still so is asked before it is done. */
export const marksOf = (artifacts: readonly ArtifactTaken[]): NonNullable<Plan["artifacts"]> =>
  artifacts.map(({ address, before, after }) => ({ address, before: before?.sha ?? null, after: after?.sha ?? null }));

export function takenText({ address, name, after }: ArtifactTaken): string {
  const artifact = `artifact ${address} ${JSON.stringify(name)}`;
  return after === null ? `${artifact} is no more` : `${artifact} is at version ${after.version} again`;
}

export function takenChange({ name, before, after }: ArtifactTaken): NamedDiff {
  const kind = after === null ? "delete" : before === null ? "new" : "modify";
  return { name, kind, ...diffOf(before?.text ?? null, after?.text ?? null, name) };
}

export const takenDiff = (artifacts: readonly ArtifactTaken[]): string =>
  diffText(artifacts.map(takenChange), mostShown);
