import { agents as words } from "../../../words/en/agents.ts";
import type { AgentLine } from "../../services/session-services.ts";
import type { Key } from "../../terminal/key.ts";
import type { ReaderText } from "../full-view/reader-state.ts";
import { letterOf, rowsBy } from "../surface/rows-by.ts";
import { newTalk, type Talk, talkKey, talkSearchedOn } from "../talk/talk-state.ts";
import type { Item } from "../view/view.ts";

/** The person looks at the session's helpers. */
export interface AgentList {
  /** In the order of their calls and places. */
  agents: readonly AgentLine[];
  /** The one that is pointed at. */
  at: number;
  /** Its talk is read; undefined in the list. */
  talk: Talk | undefined;
  /** The id of this look at them: the one that looks on for changes knows by it that this is still the same. */
  look: number;
  /** True while the person is asked whether to stop the one that is pointed at. */
  stopping: boolean;
  note: string;
}

/** To stop one alone. To read its talk. To look on for what changes, as long as this look lasts. */
export type AgentsEffect =
  | { do: "stop_agent"; session: string }
  | { do: "read_agent"; session: string }
  | { do: "follow_agents"; look: number };

export interface AgentsStep {
  /** Undefined: the person is back in the chat. */
  list: AgentList | undefined;
  effect?: AgentsEffect;
}

/**
 * @param agents in the order of their calls; the first that waits is pointed at, else the first that runs, else the newest
 * @param look another one for each list that is opened
 */
export function newAgentList(agents: readonly AgentLine[], look: number): AgentList {
  const first = ["waiting", "running"].map((state) => agents.findIndex((one) => one.state === state));
  const at = first.find((one) => one >= 0) ?? agents.length - 1;
  return { agents, at, talk: undefined, look, stopping: false, note: "" };
}

/** As they are now: what is pointed at stays. None ever goes. */
export const withAgents = (list: AgentList, agents: readonly AgentLine[]): AgentList => ({ ...list, agents });

/** Its talk opens, where it is still pointed at. One that has ended is read from its beginning, any other at its end. */
export function openedTalk(list: AgentList, session: string, items: readonly Item[]): AgentList {
  const agent = list.agents[list.at];
  if (agent?.session !== session || list.talk !== undefined) return list;
  return { ...list, talk: newTalk(session, items, agent.state !== "ended") };
}

/** The talk as it is now, where it is still read. */
export const withTalk = (list: AgentList, session: string, items: readonly Item[]): AgentList =>
  list.talk?.session === session ? { ...list, talk: { ...list.talk, items } } : list;

export interface AgentsScreen {
  total: number;
  window: number;
}

/**
 * One key. Esc goes one step back.
 * @param screen rows in all and on the screen; where there are none on it, nothing is decided
 * @param text what is read, where something is
 */
export function agentsKey(before: AgentList, key: Key, screen: AgentsScreen, text: ReaderText | undefined): AgentsStep {
  const list: AgentList = { ...before, note: "" };
  if (key.name === "char" && key.ctrl && !key.alt && key.text === "c") return { list: undefined };
  if (list.stopping) return stopping(list, key, screen.window);
  if (list.talk !== undefined) return { list: { ...list, talk: talkKey(list.talk, key, text) } };
  if (key.name === "escape" || letterOf(key) === "q") return { list: undefined };
  return screen.window < 1 ? { list } : listKey(list, key, screen.window);
}

function listKey(list: AgentList, key: Key, page: number): AgentsStep {
  const by = rowsBy(key, page);
  if (by !== undefined) return { list: { ...list, at: Math.max(0, Math.min(list.agents.length - 1, list.at + by)) } };
  const agent = list.agents[list.at];
  if (agent === undefined) return { list };
  if (key.name === "enter") return { list, effect: { do: "read_agent", session: agent.session } };
  if (letterOf(key) !== "x") return { list };
  return { list: agent.state === "ended" ? { ...list, note: words().ended } : { ...list, stopping: true } };
}

/** A long search is gone on with. */
export function searchedOn(list: AgentList, text: ReaderText): AgentList {
  return list.talk === undefined ? list : { ...list, talk: talkSearchedOn(list.talk, text) };
}

/** Takes back the question whether to stop a helper: it was out of sight. */
export const unasked = (list: AgentList): AgentList =>
  list.stopping ? { ...list, stopping: false, note: words().kept } : list;

/** Only `y` stops it; a key of another meaning was not meant so. */
function stopping(list: AgentList, key: Key, page: number): AgentsStep {
  const agent = list.agents[list.at];
  const calm: AgentList = { ...list, stopping: false };
  if (letterOf(key) === "y" && page >= 1 && agent !== undefined)
    return { list: { ...calm, note: words().stopping }, effect: { do: "stop_agent", session: agent.session } };
  return { list: { ...calm, note: words().kept } };
}
