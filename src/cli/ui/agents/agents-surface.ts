import { setTimeout } from "node:timers/promises";
import { chatCommands } from "../../../words/en/chat-commands.ts";
import { saidAgain } from "../../../words/said-again.ts";
import type { AgentLine } from "../../services/session-services.ts";
import { cleanLine } from "../safe-text.ts";
import type { ChatHands } from "../surface/hands.ts";
import { notice, type Opening, opening, type Surface } from "../surface/surface.ts";
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
export const agentsSurface: Surface<AgentList, AgentsEffect> = {
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
          const items = itemsOf((await services.about.talk(now.session)).transcript, view().labels);
          set((list) => withTalk(list, now.session, items));
        }
        before = mark;
        await setTimeout(lookEveryMs, undefined, { ref: false });
      }
    },
    async read_agent({ session }, { services, view, set }) {
      const items = itemsOf((await services.about.talk(session)).transcript, view().labels);
      set((list) => openedTalk(list, session, items));
    },
    async stop_agent({ session: child }, hands) {
      await stopAgent(child, hands);
    },
  },
};

/** The list of these, which is looked on at from then on. */
export const agentsOpening = (agents: readonly AgentLine[]): Opening =>
  opening(
    agentsSurface,
    ({ now }) => ({ state: newAgentList(agents, now), effect: { do: "follow_agents" as const, look: now } }),
    (list) => [notice(`${agentsText(list.agents)}\n${chatCommands().agents.usage}`)],
  );

/** @returns false where it is not stopped, which was said. */
export async function stopAgent(child: string, { session, say }: Pick<ChatHands, "session" | "say">): Promise<boolean> {
  const stopped = await session().stopChild(child);
  if (!stopped.ok) say({ kind: "notice", level: "warn", text: cleanLine(saidAgain(stopped.message)) });
  return stopped.ok;
}
