import { isHookEvent } from "../../core/hooks.ts";
import { importing } from "../../words/en/importing.ts";
import { saidAgain } from "../../words/said-again.ts";
import { hookGroup } from "../settings/config-schema.ts";
import { type FoundSetting, type Gathered, type HookGroup, hidesSomething } from "./found.ts";
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
  for (const [event, group] of isObject(value) ? each(value) : [["PreToolUse", undefined] as const])
    found.push(...foundOf(source, event, group, off));
}

function foundOf({ scope, from }: Source, event: string, group: unknown, off: boolean): FoundSetting[] {
  const restricts = event === "PreToolUse" && !off ? { restricts: true as const } : {};
  const left = (of: string, why: string): FoundSetting => ({
    ...{ kind: "left_out", scope, from, why, ...restricts },
    what: `${withoutSecrets(event)}${withoutSecrets(of)}${commandIn(group)}`,
  });
  const read = off
    ? { why: importing().hooksOff }
    : scope === "project"
      ? { why: importing().ofProject }
      : hookOf(event, group);
  if (read.why !== undefined) return [left("", read.why)];
  const copied: FoundSetting = { kind: "hook", scope, from, event: read.event, hook: read.hook };
  return [copied, ...read.without.map((part) => left(` of ${part}`, importing().ofNoTool))];
}

/** Gemini CLI's, of which none is copied: one that says no by what it answers would say nothing here. By its manual two of its events can keep a tool from being used. */
export function geminiHooksIn({ scope, from }: Source, value: unknown, { found }: Gathered): void {
  const lists = Object.entries(isObject(value) ? value : {}).filter(([, groups]) => Array.isArray(groups));
  for (const [event, group] of each(Object.fromEntries(lists))) {
    const restricts = event === "BeforeTool" || event === "BeforeToolSelection" ? { restricts: true as const } : {};
    const what = `${withoutSecrets(event)}${commandIn(group)}`;
    found.push({
      kind: "left_out",
      scope,
      from,
      what,
      why: scope === "project" ? importing().ofProject : importing().ofGemini,
      ...restricts,
    });
  }
}

/** By event, a group for each hook. */
const each = (events: Record<string, unknown>): [event: string, group: unknown][] =>
  Object.entries(events).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups.flatMap(singly) : [groups]).map((group): [string, unknown] => [event, group]),
  );

function singly(group: unknown): unknown[] {
  if (!isObject(group) || !Array.isArray(group["hooks"])) return [group];
  return group["hooks"].map((hook: unknown) => ({ ...group, hooks: [hook] }));
}

/** As it is shown. */
function commandIn(group: unknown): string {
  const [hook]: unknown[] = isObject(group) && Array.isArray(group["hooks"]) ? group["hooks"] : [];
  return isObject(hook) && typeof hook["command"] === "string" ? `: ${withoutSecrets(hook["command"])}` : "";
}

/** `without`: parts of its matcher that mean nothing here, and are not in it. */
type Read = { why: string; hook?: never } | ({ why?: never; without: string[] } & HookGroup);

function hookOf(event: string, group: unknown): Read {
  if (!isHookEvent(event)) return { why: importing().noEvent };
  const parsed = hookGroup.safeParse(withoutHeedless(group));
  if (!parsed.success) return { why: parsed.error.issues.map(({ message }) => saidAgain(message)).join("; ") };
  const { matcher = "", hooks } = parsed.data;
  const texts = [matcher, ...hooks.map(({ command }) => command)];
  if (texts.some(hidesSomething)) return { why: importing().unseen };
  if (texts.some((text) => withoutSecrets(text) !== text)) return { why: importing().secret };
  if (event === "Stop" || matcher === "" || matcher === "*") return { event, hook: parsed.data, without: [] };
  const parts = partsOf(matcher);
  const meant = parts.filter(meansSome);
  if (meant.length === 0) return { why: importing().ofNoTool };
  const without = parts.filter((part) => !meant.includes(part));
  return { event, hook: without.length === 0 ? parsed.data : { ...parsed.data, matcher: meant.join("|") }, without };
}

const withoutHeedless = (group: unknown): unknown =>
  isObject(group) && Array.isArray(group["hooks"])
    ? { ...group, hooks: group["hooks"].map((hook: unknown) => (isObject(hook) ? without(hook, heedless) : hook)) }
    : group;

const without = (of: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).filter(([key]) => !keys.includes(key)));

/** Splits it at its `|`; a pattern with more than names, signs of repetition and those is one part. */
function partsOf(matcher: string): string[] {
  const [, listed = matcher] = /^\(([^()]+)\)$/u.exec(matcher) ?? [];
  return /^[\w\-.*+?|]+$/u.test(listed) ? listed.split("|").filter(Boolean) : [matcher];
}

/** Tools of servers have the same names here, and may come later. */
const meansSome = (part: string): boolean =>
  part.startsWith("mcp__") || Object.keys(claudeTools).some((name) => new RegExp(`^(?:${part})$`, "u").test(name));
