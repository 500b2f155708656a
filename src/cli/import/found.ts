import type { Decision } from "../../policy/types.ts";

/** Whose it is: what lies in a project's folder is the project's, whatever it says. */
export type Scope = "user" | "project";

/** A rule as it is written into a `policy.json`. */
export interface NewRule {
  tool: string;
  paths?: string[];
  command?: string;
  hosts?: string[];
  decision: Decision;
}

/** What was found in another program's settings, and what becomes of it. `from` is a path as the person knows it. */
export type Found =
  | { kind: "rule"; scope: Scope; from: string; was: string; rule: NewRule }
  | { kind: "instructions"; scope: Scope; from: string; path: string; named: boolean; note: string }
  | { kind: "server"; scope: Scope; from: string; name: string; at: string; env: string[]; headers: string[] }
  | { kind: "left_out"; scope: Scope; from: string; what: string; why: string }
  | { kind: "unread"; scope: Scope; from: string; why: string };

export const sayings = {
  unseen: "it has characters that cannot be seen",
  shell: "it would be every command",
  asks: "asking is what happens here without a rule",
  unknown: "there is no such tool here",
} as const;

/** Whether a text holds what a person would not see, or not as it is. */
export const hidesSomething = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text);
