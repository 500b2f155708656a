import type { HookEvent } from "../../core/hooks.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Decision } from "../../policy/types.ts";
import type { UserSettings } from "../settings/config-schema.ts";

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

/** A hook as it is written into a `config.json`: a group of its own. */
export interface HookGroup {
  event: HookEvent;
  hook: NonNullable<NonNullable<UserSettings["hooks"]>[HookEvent]>[number];
}

/** A server, and nothing that may be a secret. */
export interface ServerFound {
  /** As it is written into the person's own `config.json`; undefined where it is not taken. */
  entry?: JsonObject;
  /** Variables of its own, to be set to what stands there once it is taken, also by `add`. */
  needs: string[];
  /** The reason for which it is not taken. */
  why?: string;
  /** The command that would take it, with places for the person to fill in. */
  add?: string;
}

/**
 * A setting that was found in another program's settings, and its outcome. `from` is a path as the person knows it. `restricts`: it denied
 * or asked there, and does not here.
 */
export type FoundSetting =
  | { kind: "rule"; scope: Scope; from: string; was: string; rule: NewRule }
  | { kind: "instructions"; scope: Scope; from: string; path: string; named: boolean; note: string }
  | ({ kind: "server"; scope: Scope; from: string; name: string } & ServerFound)
  | ({ kind: "hook"; scope: Scope; from: string } & HookGroup)
  | { kind: "left_out"; scope: Scope; from: string; what: string; why: string; restricts?: true }
  | { kind: "unread"; scope: Scope; from: string; why: string };

/** The settings of a program's files: rules are settled once all are known. */
export interface Gathered {
  found: FoundSetting[];
  entries: Entry[];
}

/** The rules as they are said here, or the reason for which they cannot be. */
export type Said = NewRule[] | { why: string };

/** The things that a rule is about: their kind, and the text that all of them begin with. */
export interface Reach {
  of: "all" | "command" | "change" | "read" | "page" | "search" | "other";
  head: string;
}

/** One rule of another program. `isFile`: all that a file could not be read for. */
export interface Entry {
  scope: Scope;
  from: string;
  was: string;
  decision: Decision;
  said: Said;
  reach: Reach;
  isFile?: true;
}

/** Tells whether a text holds anything that a person would not see, or not as it is. */
export const hidesSomething = (text: string): boolean => /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/u.test(text);
