import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/mcp.ts. */
export const helpMcp = room("helpMcp", {
  mcpList: {
    text: "yours and this project's, and which are off",
    examples: [["agent mcp list", "each with what starts it, or where it is"]],
  },
  mcpAdd: {
    text: "write one into your config.json",
    examples: [
      ["agent mcp add files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31", "the command behind --"],
      [`agent mcp add hub --env 'TOKEN=\${HUB_TOKEN}' -- hub-mcp`, "with a variable of your environment"],
      [
        `agent mcp add web --url https://mcp.example.com/mcp --header 'Authorization: Bearer \${WEB_TOKEN}'`,
        "over HTTP",
      ],
      ["agent mcp add browser", "a Chromium of this machine, driven by @playwright/mcp"],
    ],
    options: {
      chromium: "the browser's program, where it is not in PATH",
      browser: "it drives a browser (@playwright/mcp); a server named browser is one by itself",
      private: "the name in --url may lead into your own network",
      header: "sent with each request, with --url",
      url: "it is there already, and is spoken to over HTTP",
      env: "a variable that it gets",
    },
  },
  mcpRemove: {
    text: "take one out of your config.json",
    examples: [["agent mcp remove files", "and your trust in it"]],
  },
  mcpLogs: {
    text: "what one said beside its answers",
    examples: [["agent mcp logs files", "its stderr, and why it ended"]],
  },
  mcpTrust: {
    text: "start or ask one, look at its tools, and let them be used",
    examples: [
      ["agent mcp trust files", "shows what is started or asked, then its tools; asks twice"],
      ["agent mcp trust files --yes", "without asking"],
    ],
    options: { yes: "without asking" },
  },
  mcpTest: {
    text: "start or ask one that is on, and tell what changed since it was trusted",
    examples: [["agent mcp test files", "1 where a tool is another one by now"]],
  },
  mcpLogin: {
    text: "sign in at one over HTTP, at a page in your browser",
    note: "The page is opened by the first program of BROWSER, else by the system's opener; without a terminal it is only printed.",
    examples: [
      ["agent mcp login web", "shows the page, opens it, and waits for your answer"],
      ["agent mcp login web --scope read --scope write", "for these rights"],
    ],
    options: {
      yes: "asks one that is not trusted yet without a question",
      scope: "a right to ask for, in the place of those that are named",
    },
  },
  mcpLogout: {
    text: "sign out of one, here and where you signed in",
    examples: [["agent mcp logout web", "its tokens are removed, and of no use any more where that can be told"]],
  },
} satisfies Record<string, CommandHelp>);
