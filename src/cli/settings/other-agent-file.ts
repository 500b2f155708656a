import { isNamed } from "../../core/tool-names.ts";
import { agentFiles as words } from "../../words/en/agent-files.ts";
import { claudeTools, geminiTools, opencodeTools, oursFor, type TheirTools } from "../import/their-tools.ts";
import { type AgentFile, largestAgentFile, readParts, tooLarge, withQuotes } from "./agent-file.ts";

/** An agent as another program's file has it, in our words; `unused`: what the file says and nothing here heeds. */
export interface OtherAgent {
  /** Of the file's own words; where it says none it is called as the file is. */
  name?: string;
  agent: AgentFile;
  unused: string[];
}

/**
 * Reads a file of another program's agent with its meaning here. Its tools, steps and modes take away and never give: where that cannot be
 * read, it is no agent.
 * @param path relative to the workspace: by its folder the program is known
 * @returns what is wrong with it, in words, where it is none.
 */
export async function readOtherAgent(path: string, text: string): Promise<OtherAgent | { wrong: string }> {
  const keys = programs[path.slice(0, path.indexOf("/"))] ?? {};
  const found = path.endsWith(".toml") ? await readToml(text) : await readParts(text, withQuotes);
  if ("wrong" in found) return found;
  if (!isTable(found.head)) return { wrong: words().noKeys };
  const draft: Draft = { out: new Set(), unused: [], prompt: found.prompt };
  for (const [key, value] of Object.entries(found.head)) {
    const wrong = Object.hasOwn(keys, key) ? keys[key]?.(value, draft) : unheeded(key, draft);
    if (wrong !== undefined) return { wrong: `${shortly(key)}: ${wrong}` };
  }
  const { name, description, prompt, model, maxSteps, unused } = draft;
  if (description === undefined) return { wrong: words().noDescription };
  if (prompt === undefined) return { wrong: words().noTask };
  const toolkit = toolkitOf(draft);
  return {
    ...(name === undefined ? {} : { name }),
    agent: {
      ...{ description, prompt },
      ...(toolkit === undefined ? {} : { toolkit }),
      ...(model === undefined ? {} : { model }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
    },
    unused,
  };
}

/** The values of the keys that were read so far. */
interface Draft {
  name?: string;
  description?: string;
  prompt?: string | undefined;
  model?: string;
  maxSteps?: number;
  /** The only tools that it has; all without it. */
  only?: readonly string[];
  readonly out: Set<string>;
  readonly unused: string[];
}

/** Takes what a key says. @returns what is wrong with that. */
type Key = (value: unknown, draft: Draft) => string | undefined;

const ofText =
  (take: (text: string, draft: Draft) => void): Key =>
  (value, draft) => {
    if (value === null) return undefined;
    if (typeof value !== "string" || value.trim() === "") return words().isNoText;
    take(value.trim(), draft);
    return undefined;
  };

/** It says nothing that would be heeded here, and nothing is lost by that. */
const forItsEyes: Key = () => undefined;

const longest = 300;

const description = ofText((text, draft) => {
  const line = text.replaceAll(/\s+/gu, " ");
  draft.description = line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
});

/** Names of models are those of the program's own server; ours is one of the server that the person works with. */
const model = ofText((text, draft) => {
  if (/^:[\w./:@-]{1,199}$/u.test(text)) draft.model = text;
  else if (text !== "inherit") draft.unused.push(`model ${shortly(text)}`);
});

const mostSteps = 1000;

const maxSteps: Key = (value, draft) => {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) return words().noSteps;
  draft.maxSteps = Math.min(value, mostSteps);
  return undefined;
};

const name = ofText((text, draft) => {
  draft.name = text;
});

/** A list of names, or names with commas between them; undefined where it is none. */
function namesIn(value: unknown): string[] | undefined {
  const names: unknown = typeof value === "string" ? splitNames(value) : (value ?? []);
  return Array.isArray(names) && names.every((one) => typeof one === "string" && one.length <= longestList)
    ? names.map((one: string) => one.trim())
    : undefined;
}

const longestList = 4_000;

const splitNames = (text: string): string[] =>
  text.length > longestList ? [text] : (text.match(/(?:[^,(]|\([^)]*\))+/gu) ?? []);

/** Theirs that a name with `*` stands for. */
const meant = (tools: TheirTools, named: string): string[] =>
  /^[\w*-]+$/u.test(named) ? Object.keys(tools).filter((tool) => isNamed([named], tool)) : [];

/** The only tools: what one may do only in part, by what stands in ( ), it has not at all. */
const onlyTools =
  (tools: TheirTools, nothing: readonly string[] = []): Key =>
  (value, draft) => {
    const names = namesIn(value);
    if (names === undefined) return words().noTools;
    if (names.includes("*")) return undefined;
    const unknown = names.filter((one) => meant(tools, one).length === 0 && !nothing.includes(one));
    if (unknown.length > 0) draft.unused.push(`tools ${unknown.slice(0, mostNamed).map(shortly).join(", ")}`);
    return narrow(draft, oursOf(tools, names));
  };

const oursOf = (tools: TheirTools, names: readonly string[]): string[] => [
  ...new Set(names.flatMap((one) => meant(tools, one)).flatMap((tool) => oursFor(tools, tool))),
];

const withoutTools =
  (tools: TheirTools): Key =>
  (value, draft) => {
    const names = namesIn(value)?.map((one) => one.replace(/\(.*$/su, "").trim());
    if (names === undefined) return words().noTools;
    if (names.includes("*")) return narrow(draft, []);
    for (const ours of oursOf(tools, names)) draft.out.add(ours);
    return undefined;
  };

function narrow(draft: Draft, to: readonly string[]): undefined {
  const { only } = draft;
  draft.only = only === undefined ? to : only.filter((one) => to.includes(one));
}

const reading = ["read_file", "grep", "glob", "ls", "web_fetch", "web_search"];

/** A mode in which nothing is changed; of the others none gives anything here. */
const mode =
  (key: string, looking: string, plain: readonly string[]): Key =>
  (value, draft) => {
    if (typeof value !== "string") return words().noMode;
    if (value === looking) return narrow(draft, reading);
    if (!plain.includes(value)) draft.unused.push(`${key} ${shortly(value)}`);
    return undefined;
  };

/** Tools that are on or off, in their order; one that is off stays so whatever is on behind it. */
function switches(entries: readonly (readonly [named: string, isOn: boolean])[], draft: Draft): undefined {
  const on = new Set<string>();
  let isClosed = false;
  for (const [named, isOn] of entries) {
    const ours = oursOf(opencodeTools, [isOn ? named : named.replaceAll("?", "*")]);
    if (isOn) for (const one of ours) on.add(one);
    else if (/^\*+$/u.test(named)) {
      on.clear();
      isClosed = true;
    } else for (const one of ours) draft.out.add(one);
  }
  if (isClosed) narrow(draft, [...on]);
}

const switchedTools: Key = (value, draft) => {
  if (!isTable(value)) return onlyTools(opencodeTools)(value, draft);
  const entries = Object.entries(value);
  return entries.every((entry): entry is [string, boolean] => typeof entry[1] === "boolean")
    ? switches(entries, draft)
    : words().noSwitch;
};

const permission: Key = (value, draft) => {
  const rows = isTable(value) ? Object.entries(value) : [["*", value] as const];
  return judged(
    rows.map(([tool, said]) => [tool, isTable(said) ? Object.values(said) : [said]]),
    draft,
  );
};

/** The same as a list, as its second version has it. */
const permissions: Key = (value, draft) => {
  const rows: unknown[] = Array.isArray(value) ? value : [value];
  return judged(
    rows.map((row) => (isTable(row) ? [String(row["action"]), [row["effect"]]] : ["*", [row]])),
    draft,
  );
};

/** Switches tools by their decisions. A tool that is denied in part is left out whole; asks and allows are for rules and modes to say. */
function judged(rows: readonly (readonly [tool: string, said: readonly unknown[]])[], draft: Draft) {
  if (rows.some(([, said]) => said.some((one) => !decisions.includes(one)))) return words().noDecision;
  if (rows.some(([, said]) => said.includes("ask"))) draft.unused.push("permission ask");
  return switches(
    rows.map(([tool, said]) => [tool, !said.includes("deny")]),
    draft,
  );
}

const decisions: readonly unknown[] = ["allow", "ask", "deny"];

const claudes: Readonly<Record<string, Key>> = {
  name,
  description,
  tools: onlyTools(claudeTools, ["Task", "Agent", "Skill", "TodoWrite", "TodoRead"]),
  disallowedTools: withoutTools(claudeTools),
  model,
  permissionMode: mode("permissionMode", "plan", ["default", "manual"]),
  maxTurns: maxSteps,
  color: forItsEyes,
};

const opencodes: Readonly<Record<string, Key>> = {
  name,
  description,
  mode: (value) => (value === "subagent" || value === "all" ? undefined : words().noHelper),
  disable: (value) => (value === false ? undefined : words().isOff),
  model,
  tools: switchedTools,
  permission,
  permissions,
  steps: maxSteps,
  maxSteps,
  color: forItsEyes,
};

const geminis: Readonly<Record<string, Key>> = {
  name,
  description,
  kind: (value) => (value === "local" ? undefined : words().isElsewhere),
  display_name: forItsEyes,
  tools: onlyTools(withoutMemory(geminiTools)),
  model,
  max_turns: maxSteps,
};

const codexes: Readonly<Record<string, Key>> = {
  name,
  description,
  developer_instructions: ofText((text, draft) => {
    draft.prompt = text;
  }),
  nickname_candidates: forItsEyes,
  model,
  sandbox_mode: mode("sandbox_mode", "read-only", ["workspace-write"]),
};

const programs: Readonly<Record<string, Readonly<Record<string, Key>>>> = {
  ".claude": claudes,
  ".opencode": opencodes,
  ".gemini": geminis,
  ".codex": codexes,
};

/** No helper saves memories, whatever its file says. */
function withoutMemory(tools: TheirTools): TheirTools {
  return Object.fromEntries(Object.entries(tools).filter(([, ours]) => !ours.includes("save_memory")));
}

function toolkitOf({ only, out }: Draft): string[] | undefined {
  const less = [...out].map((one) => `!${one}`);
  if (only === undefined) return less.length === 0 ? undefined : less;
  const left = only.filter((one) => !out.has(one));
  return left.length === 0 ? ["!*"] : left;
}

const mostNamed = 20;

function unheeded(key: string, { unused }: Draft): undefined {
  if (unused.length < mostNamed) unused.push(shortly(key));
}

/** As a person is told it. */
const shortly = (word: string): string => {
  const plain = word.replaceAll(/[\s\p{C}]+/gu, " ");
  return plain.length > 40 ? `${plain.slice(0, 39)}…` : plain;
};

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export async function readToml(text: string): Promise<{ head: unknown; prompt: undefined } | { wrong: string }> {
  if (Buffer.byteLength(text) > largestAgentFile) return { wrong: tooLarge() };
  const { parse } = await import("smol-toml");
  try {
    return { head: parse(text), prompt: undefined };
  } catch (error) {
    return { wrong: words().noToml({ why: String((error as Error).message).split("\n")[0] }) };
  }
}
