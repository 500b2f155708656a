import { applyEdits, modify } from "jsonc-parser";
import type { Json } from "../../core/json.ts";
import { readByHand, updatePolicyFile } from "../../policy/files/policy-file.ts";

/** The text of settings with one of them in it, or without it; comments and all else stay as they are. @throws PolicyProblem where it is broken */
export function withSetting(
  text: string | undefined,
  file: string,
  path: readonly string[],
  value: Json | undefined,
): string {
  const now = text === undefined || text.trim() === "" ? "{}\n" : text;
  readByHand(now, file);
  const edits = modify(now, [...path], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } });
  return applyEdits(now, edits);
}

/** One setting into the person's file, which comes into being where it is not there. @throws PolicyProblem where it is broken, or cannot be written */
export const writeSetting = (file: string, path: readonly string[], value: Json): Promise<void> =>
  updatePolicyFile(file, (text) => withSetting(text, file, path, value));
