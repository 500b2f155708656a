import { isHookEvent } from "../../core/hooks.ts";
import { hookGroup } from "../settings/config-schema.ts";
import { type Gathered, type HookGroup, hidesSomething, sayings } from "./found.ts";
import { withoutSecrets } from "./masked.ts";
import { isObject, type Source } from "./sources.ts";
import { claudeTools } from "./their-tools.ts";

/** Of a hook what says nothing about when it runs and what becomes of it. */
const heedless = ["statusMessage"];

/**
 * Hooks in Claude Code's form, each by itself. One of a project is its own there, and nobody's here; of those that may say no it is told that
 * they do not here.
 * @param off they are all turned off there
 */
export function hooksIn(source: Source, value: unknown, off: boolean, { found }: Gathered): void {
  if (value === undefined) return;
  const { scope, from } = source;
  for (const [event, group] of isObject(value) ? each(value) : [["PreToolUse", undefined] as const]) {
    const read = hookOf(event, group);
    const why = off ? "hooks are turned off there" : scope === "project" ? ofProject : read.why;
    if (why === undefined && read.hook !== undefined)
      found.push({ kind: "hook", scope, from, event: read.event, hook: read.hook });
    else found.push({ kind: "left_out", scope, from, ...leftOut(event, group, off), why: why ?? "" });
  }
}

const leftOut = (event: string, group: unknown, off: boolean): { what: string; restricts?: true } => ({
  what: withoutSecrets(`${event}${commandIn(group)}`),
  ...(event === "PreToolUse" && !off ? { restricts: true } : {}),
});

/** By event, a group for each hook. */
const each = (events: Record<string, unknown>): [event: string, group: unknown][] =>
  Object.entries(events).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups.flatMap(singly) : [groups]).map((group): [string, unknown] => [event, group]),
  );

const ofProject = "a project has no hooks here: what is to run stands in your own config.json";

function singly(group: unknown): unknown[] {
  if (!isObject(group) || !Array.isArray(group["hooks"])) return [group];
  return group["hooks"].map((hook: unknown) => ({ ...group, hooks: [hook] }));
}

function commandIn(group: unknown): string {
  const [hook]: unknown[] = isObject(group) && Array.isArray(group["hooks"]) ? group["hooks"] : [];
  return isObject(hook) && typeof hook["command"] === "string" ? `: ${hook["command"]}` : "";
}

type Read = { why: string; hook?: never } | { why?: never; event: HookGroup["event"]; hook: HookGroup["hook"] };

function hookOf(event: string, group: unknown): Read {
  if (!isHookEvent(event)) return { why: "there is no such event here" };
  const parsed = hookGroup.safeParse(withoutHeedless(group));
  if (!parsed.success) return { why: parsed.error.issues.map(({ message }) => message).join("; ") };
  const { matcher = "", hooks } = parsed.data;
  const texts = [matcher, ...hooks.map(({ command }) => command)];
  if (texts.some(hidesSomething)) return { why: sayings.unseen };
  if (texts.some((text) => withoutSecrets(text) !== text)) return { why: sayings.secret };
  if (!meansSome(event, matcher)) return { why: "it means no tool that there is here" };
  return { event, hook: parsed.data };
}

const withoutHeedless = (group: unknown): unknown =>
  isObject(group) && Array.isArray(group["hooks"])
    ? { ...group, hooks: group["hooks"].map((hook: unknown) => (isObject(hook) ? without(hook, heedless) : hook)) }
    : group;

const without = (of: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key)));

function meansSome(event: string, matcher: string): boolean {
  if (event === "Stop" || matcher === "" || matcher === "*") return true;
  const pattern = new RegExp(`^(?:${matcher})$`, "u");
  return Object.keys(claudeTools).some((name) => pattern.test(name));
}
