import { room } from "../room.ts";

/** Lists of agents, skills, memories and tools, and what is asked of one of them. */
export const lists = room("lists", {
  mostSteps: ({ steps }: { steps: number }) => `at most ${steps} steps`,
  mostCost: ({ cost }: { cost: number }) => `costs at most ${cost}`,
  heads: {
    agent: "agent",
    source: "source",
    tools: "tools",
    isFor: "what it is for",
    name: "name",
    where: "where",
    does: "what it does",
  },
  noAgents: "no agents are set up here: helpers have no name, and all tools but agent and save_memory",
  wishes: "; not heeded: allowed-tools",
  noSkills: "there are no skills and no commands of files here",
  noMemories: ({ file }: { file: string }) => `nothing is remembered in ${file}`,
  noMemory: ({ id }: { id: string }) => `there is no memory ${JSON.stringify(id)}`,
  severalMemories: ({ count, id }: { count: number; id: string }) =>
    `${count} memories are called ${JSON.stringify(id)}`,
  memoriesHint: "agent memories list shows them",
  toolsHint: "agent tools lists them",
  near: ({ near }: { near: string }) => `did you mean ${near}?`,
  noTool: ({ name }: { name: string }) => `there is no tool ${JSON.stringify(name)}`,
  tokens: ({ tokens }: { tokens: number }) => `about ${tokens} in each request`,
  isTool: ({ name }: { name: string }) => `there is a tool ${name} already`,
  isToolHint: ({ name }: { name: string }) => `agent tools ${name} shows it`,
  wroteTool: ({ tool, test }: { tool: string; test: string }) =>
    `wrote ${tool}\nwrote ${test}\ntry it:   node --test ${test}\nuse it:   agent trust`,
  toolName: "a verb and a noun say best what it does: count_lines",
  isFile: ({ file }: { file: string }) => `${file} is there already`,
  isFileHint: "take another name, or remove it",
  toolHeads: {
    tool: "tool",
    source: "source",
    category: "category",
    risk: "risk",
    effect: "effect",
    shownAs: "shown as",
    tokens: "tokens",
  },
});
