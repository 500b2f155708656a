import { kB, type Limit, MB, minute } from "./limit-text.ts";

/** Of servers that bring tools (MCP). */
export const mcpLimits = {
  mcpStart: {
    what: "start of an MCP server, until its tools are known",
    most: minute,
    unit: "ms",
    why: "npx and uvx may have to fetch it first; past it the server is ended, and started anew with the next call",
  },
  mcpMessage: {
    what: "one message of an MCP server",
    most: 10 * MB,
    unit: "bytes",
    why: "a large picture fits; past it the server is ended, and what came of the call is unknown",
  },
  mcpUnread: {
    what: "what an MCP server was sent and has not read",
    most: 16 * MB,
    unit: "bytes",
    why: "the arguments of many calls fit; past it the server is ended",
  },
  mcpTools: {
    what: "tools of one MCP server",
    most: 200,
    unit: "tools",
    why: "a person reads them all before they trust them; the rest is not offered, and told",
  },
  mcpToolText: {
    what: "name, description and schema of one tool of an MCP server",
    most: 50 * kB,
    unit: "bytes",
    why: "they are told to the model with every request; a tool with more is not offered",
  },
  mcpSchemaDepth: {
    what: "depth of the schema of an MCP server's tool",
    most: 40,
    unit: "levels",
    why: "every walk over it is recursive; the arguments of a tool with a deeper one are not checked",
  },
  mcpOnce: {
    what: "answer of an MCP server that the model is told again with each request",
    most: 8 * kB,
    unit: "bytes",
    why: "a longer one is told once, and from then on in one line",
  },
  mcpLog: {
    what: "what is kept of the words of one MCP server",
    most: 500 * kB,
    unit: "bytes",
    why: "the last of them tell why it failed; past it the log begins anew, with the one before kept beside it",
  },
} as const satisfies Record<string, Limit>;
