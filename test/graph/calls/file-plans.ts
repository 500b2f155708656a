import { sha256 } from "../../../src/core/json.ts";
import type { FilePlan } from "../../../src/core/tool.ts";

export const shaOf = (text: string | null) => (text === null ? null : sha256(Buffer.from(text)));

/** That a text file becomes another, is made or is removed (null). */
export function filePlan(name: string, real: string, before: string | null, after: string | null): FilePlan {
  return {
    ...{ asked: name, real, before: shaOf(before), after: shaOf(after), added: 1, removed: 1, hunks: [] },
    ...{ kind: before === null ? "new" : after === null ? "delete" : "modify" },
    ...{ mode: 0o644, eol: "lf", bom: false, encoding: "utf-8" },
  } as FilePlan;
}
