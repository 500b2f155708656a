import { kB, type Limit, MB, minute } from "./limit-text.ts";

/** Of servers that bring tools (MCP). */
export const mcpLimits = {
  mcpStart: {
    what: "start of an MCP server, until its tools are known",
    most: minute,
    unit: "ms",
    why: "npx and uvx may have to fetch it first; past it the server is ended, and started anew with the next call",
  },
  mcpConnect: {
    what: "connection to an MCP server over HTTP",
    most: 20_000,
    unit: "ms",
    why: "a far one is reached within a second; past it nothing was done",
  },
  mcpTell: {
    what: "what an MCP server over HTTP is told and does not answer",
    most: 20_000,
    unit: "ms",
    why: "it has nothing to do for it; past it, it counts as not told",
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
  mcpServers: {
    what: "servers of a project's .mcp.json",
    most: 50,
    unit: "servers",
    why: "each is looked at as a session begins; past it none of them is on",
  },
  mcpStartFiles: {
    what: "programs and scripts that start MCP servers, all together",
    most: 400 * MB,
    unit: "bytes",
    why: "they are read whole as a session begins, one after another; a server with which they come to more is off",
  },
  mcpTrust: {
    what: "the file of trusted MCP servers, with all that their tools say",
    most: 8 * MB,
    unit: "bytes",
    why: "each session reads it; a server is not trusted where it would come to more, and what is there stays",
  },
  mcpUnasked: {
    what: "what an MCP server says that answers nothing",
    most: 20 * MB,
    unit: "bytes",
    why: "a tenth of it may come each second, for ever, and a line counts 500 bytes more; past it the server is ended",
  },
  mcpNamed: {
    what: "texts in the arguments of one call of an MCP server that are looked at for files",
    most: 2_000,
    unit: "texts",
    why: "each may name a file that is closed; a person is asked about a call with more, whatever a rule says",
  },
  browserConnections: {
    what: "connections of one browser, and requests of it that are under way",
    most: 256,
    unit: "times",
    why: "a page with all its parts needs some dozens; past it a further one is refused",
  },
  browserHead: {
    what: "head of one request of a browser, or of its answer",
    most: 64 * kB,
    unit: "bytes",
    why: "cookies of a large site fit, and so do 200 headers; past it the request is refused",
  },
  browserWait: {
    what: "head of a request of a browser, and the connection that it asks for",
    most: 20_000,
    unit: "ms",
    why: "the browser runs beside it, and a far host is reached within a second; past it the request is refused",
  },
  browserLookups: {
    what: "names that are looked up at once for one browser",
    most: 8,
    unit: "times",
    why: "one that no server answers holds its place until the system gives it up; the others wait for a place, as long as for a connection",
  },
  browserSilence: {
    what: "silence of a connection of a browser",
    most: 10 * minute,
    unit: "ms",
    why: "pages hold connections open to be told of news; past it one is closed, and the page opens another",
  },
  mcpError: {
    what: "error of an MCP server that the model is told again with each request",
    most: 8_000,
    unit: "characters",
    why: "of a longer one it gets the beginning and the end; read_file call:ID has all of it",
  },
} as const satisfies Record<string, Limit>;
