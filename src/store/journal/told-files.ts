import { parseStep, type StepId, stepText } from "../../core/step-id.ts";
import { wellFormed } from "../plain-codec.ts";
import type { ToldFile } from "../rows.ts";
import type { ToldFileColumns } from "../tables.ts";
import type { Draft } from "./draft.ts";

export function draftToldFiles(draft: Draft, stepId: StepId, files: readonly Pick<ToldFile, "name" | "text">[]): void {
  let seq = draft.rows.all("told_file").at(-1)?.seq ?? 0;
  for (const { name, text } of files) {
    seq += 1;
    draft.must("told_file", { seq }, "absent");
    draft.insert("told_file", { seq, step: stepText(stepId), name: wellFormed(name), text: wellFormed(text) });
  }
}

export const toldFileIn = ({ step, name, text }: ToldFileColumns): ToldFile => ({ step: parseStep(step), name, text });
