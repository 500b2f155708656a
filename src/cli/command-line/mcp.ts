import type { Command } from "commander";
import type { AddOptions } from "../commands/mcp.ts";
import { collect } from "../flags.ts";
import type { Add, Run } from "./program.ts";

export function addMcp(program: Command, add: Add, run: Run): void {
  const mcp = program.command("mcp").description("servers that bring tools (MCP)");
  mcp.showHelpAfterError("(agent mcp --help shows its commands)").exitOverride().helpCommand(false);
  const load = () => import("../commands/mcp.ts");
  add(mcp, {
    usage: "list",
    text: "yours and this project's, and which are off",
    bears: ["cwd", "json"],
    examples: [["agent mcp list", "each with what starts it, or where it is"]],
  }).action(run(() => async (at) => (await load()).listMcp(at)));
  add(mcp, {
    usage: "add <name> [words...]",
    text: "write one into your config.json",
    bears: [],
    examples: [
      ["agent mcp add files -- npx -y @modelcontextprotocol/server-filesystem@2026.8.31", "the command behind --"],
      [`agent mcp add hub --env 'TOKEN=\${HUB_TOKEN}' -- hub-mcp`, "with a variable of your environment"],
      [
        `agent mcp add web --url https://mcp.example.com/mcp --header 'Authorization: Bearer \${WEB_TOKEN}'`,
        "over HTTP",
      ],
      ["agent mcp add browser", "a Chromium of this machine, driven by @playwright/mcp"],
    ],
  })
    .option("--env <NAME=VALUE>", "a variable that it gets", collect, [])
    .option("--url <URL>", "it is there already, and is spoken to over HTTP")
    .option("--header <NAME: VALUE>", "sent with each request, with --url", collect, [])
    .option("--private", "the name in --url may lead into your own network")
    .option("--browser", "it drives a browser (@playwright/mcp); a server named browser is one by itself")
    .option("--chromium <PATH>", "the browser's program, where it is not in PATH")
    .action(
      run((words, options) => async (at) => {
        const { header: headers, ...given } = options as Pick<AddOptions, "env" | "url" | "chromium"> & {
          header: string[];
        };
        const is = { isPrivate: options["private"] === true, isBrowser: options["browser"] === true };
        return (await load()).addMcp(at, words, { ...given, headers, ...is });
      }),
    );
  add(mcp, {
    usage: "remove <name>",
    text: "take one out of your config.json",
    bears: [],
    examples: [["agent mcp remove files", "and your trust in it"]],
  }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).removeMcp(at, name),
    ),
  );
  addTrust(mcp, add, run);
  addSignIn(mcp, add, run);
  add(mcp, {
    usage: "logs <name>",
    text: "what one said beside its answers",
    bears: ["cwd"],
    examples: [["agent mcp logs files", "its stderr, and why it ended"]],
  }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).logsOfMcp(at, name),
    ),
  );
}

function addTrust(mcp: Command, add: Add, run: Run): void {
  const load = () => import("../commands/mcp-trust.ts");
  add(mcp, {
    usage: "trust <name>",
    text: "start or ask one, look at its tools, and let them be used",
    bears: ["cwd", "json"],
    examples: [
      ["agent mcp trust files", "shows what is started or asked, then its tools; asks twice"],
      ["agent mcp trust files --yes", "without asking"],
    ],
  })
    .option("--yes", "without asking")
    .action(
      run(
        ([name = ""], { yes }) =>
          async (at) =>
            (await load()).trustMcp(at, name, yes === true),
      ),
    );
  add(mcp, {
    usage: "test <name>",
    text: "start or ask one that is on, and tell what changed since it was trusted",
    bears: ["cwd", "json"],
    examples: [["agent mcp test files", "1 where a tool is another one by now"]],
  }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).testMcp(at, name),
    ),
  );
}

function addSignIn(mcp: Command, add: Add, run: Run): void {
  const load = () => import("../commands/mcp-login.ts");
  add(mcp, {
    usage: "login <name>",
    text: "sign in at one over HTTP, at a page in your browser",
    bears: ["cwd"],
    examples: [
      ["agent mcp login web", "shows the page, opens it, and waits for your answer"],
      ["agent mcp login web --scope read --scope write", "for these rights"],
    ],
    note: "The page is opened by the first program of BROWSER, else by the system's opener; without a terminal it is only printed.",
  })
    .option("--scope <SCOPE>", "a right to ask for, in the place of those that are named", collect, [])
    .option("--yes", "asks one that is not trusted yet without a question")
    .action(
      run(([name = ""], { scope, yes }) => async (at) => {
        const options = { scopes: scope as string[], yes: yes === true };
        return (await load()).loginMcp(at, name, options);
      }),
    );
  add(mcp, {
    usage: "logout <name>",
    text: "sign out of one, here and where you signed in",
    bears: ["cwd"],
    examples: [["agent mcp logout web", "its tokens are removed, and of no use any more where that can be told"]],
  }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).logoutMcp(at, name),
    ),
  );
}
