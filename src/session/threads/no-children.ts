import type { ChildSessions } from "../../graph/child-sessions.ts";

/** Of a session that LangGraph drives alone: a tool that wants a child is told that there are none. */
export const noChildren: ChildSessions = {
  run: async () => {
    throw new Error(
      "ctx.runChild is not there in a graph that LangGraph drives: use createAgent for tools with children",
    );
  },
  atRest: async () => undefined,
  hasBegun: () => false,
  waiting: () => [],
  openCalls: () => [],
  approvals: async () => [],
  recoveries: () => [],
  end: async () => [],
  notePublished: async () => undefined,
};
