import { setTimeout } from "node:timers/promises";
import { agents as words } from "../../../words/en/agents.ts";
import { saidAgain } from "../../../words/said-again.ts";
import type { AgentLine } from "../../services/session-services.ts";
import { cleanLine } from "../safe-text.ts";
import { type CommandedChat, type CommandedSurface, say } from "../surface/commanded-chat.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening } from "../surface/surface.ts";
import { ownTalk } from "../talk/talk-surface.ts";
import { itemsOf } from "../view/talk-items.ts";
import { agentsFrame, agentsText } from "./agents-frame.ts";
import {
  type AgentList,
  type AgentsEffect,
  agentsKey,
  newAgentList,
  openedTalk,
  searchedOn,
  unasked,
  withAgents,
  withTalk,
} from "./agents-state.ts";

const lookEveryMs = 1_000;

/** The sessions that calls of this one drive. */
export const agentsSurface: CommandedSurface<AgentList, AgentsEffect> = {
  command: {
    name: "agents",
    help: () => words().help,
    showsItself: true,
    opensAlone: true,
    key: "ctrl+o",
    run: agents,
  },
  whole: agentsFrame,
  key(before, key, { screen: { geometry, text } }) {
    const { list, effect } = agentsKey(before, key, geometry, text);
    return { state: list, effect };
  },
  unseen: unasked,
  goOn: searchedOn,
  effects: {
    async follow_agents({ look }, { services, session, view, state, set }) {
      let before: string | undefined;
      while (state()?.look === look) {
        const agents = await services.about.agents(session());
        set((list) => withAgents(list, agents));
        const read = state()?.talk?.session;
        // What did not move is neither read nor laid out again.
        const now = agents.find((one) => one.session === read);
        const mark = now && `${now.session} ${now.mark}`;
        if (now !== undefined && mark !== before) {
          const items = itemsOf((await services.about.talk(now.session)).transcript, view());
          set((list) => withTalk(list, now.session, items));
        }
        before = mark;
        await setTimeout(lookEveryMs, undefined, { ref: false });
      }
    },
    async read_agent({ session }, { services, view, set }) {
      const items = itemsOf((await services.about.talk(session)).transcript, view());
      set((list) => openedTalk(list, session, items));
    },
    async stop_agent({ session: child }, hands) {
      await stopAgent(child, hands);
    },
  },
};

/** The list of these, which is looked on at from then on. */
const agentsOpening = (agents: readonly AgentLine[]): Opening =>
  opening(
    agentsSurface,
    ({ now }) => ({ state: newAgentList(agents, now), effect: { do: "follow_agents" as const, look: now } }),
    (list) => [notice(`${agentsText(list.agents)}\n${words().answers.usage}`)],
  );

/** @returns false where it is not stopped, which was said. */
async function stopAgent(child: string, { session, say }: Pick<ChatHands, "session" | "say">): Promise<boolean> {
  const stopped = await session().stopChild(child);
  if (!stopped.ok) say({ kind: "notice", level: "warn", text: cleanLine(saidAgain(stopped.message)) });
  return stopped.ok;
}

/** Opens the list of helpers, or reads or stops one of them, which are known by their places in the list. */
async function agents(argument: string, chat: CommandedChat): Promise<void> {
  const { session } = chat.present();
  const lines = await chat.services.about.agents(session);
  const [word = "", nth = "", ...more] = argument.split(/\s+/);
  if (more.length > 0 || (word !== "stop" && nth !== "")) return say(chat, words().answers.notMeant, "warn");
  if (lines.length === 0) return noAgents(word, chat);
  if (word === "") return chat.open(agentsOpening(lines));
  const named = word === "stop" ? nth : word;
  const agent = /^\d+$/.test(named) ? lines[Number(named) - 1] : lines.find((one) => one.session === named);
  if (agent === undefined) return say(chat, words().answers.notThere({ helper: cleanLine(named) }), "warn");
  if (word !== "stop") return readTalk(agent.session, chat);
  const isStopped = await stopAgent(agent.session, chat.hands());
  if (isStopped) say(chat, words().answers.stopped({ helper: cleanLine(agent.agent) }));
}

/** Opens this session's talk for a person who looks at all that is at work where nobody else is; in lines it is said that there is no helper. */
async function noAgents(word: string, chat: CommandedChat): Promise<void> {
  const none = words().answers.none;
  if (word !== "") return say(chat, none);
  await chat.openUnread({ lines: () => [notice(none)], read: () => ownTalk(chat) });
}

async function readTalk(session: string, chat: CommandedChat): Promise<void> {
  const { transcript } = await chat.services.about.talk(session);
  for (const item of itemsOf(transcript, chat.present().view)) chat.say(item);
}
