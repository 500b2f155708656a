import type { Splice } from "../../files/bytes/text-form.ts";

export interface EditRequest {
  old_string: string;
  new_string: string;
  mode: "exact" | "flexible" | "regex";
  replace_all: boolean;
}

/** What an edit comes to: replacements in the file's own text, and the lines (from 1) on which they begin. */
export interface EditMatch {
  splices: Splice[];
  lines: number[];
}
