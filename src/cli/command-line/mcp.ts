import type { Command } from "commander";
import { helpMcp as words } from "../../words/en/help-mcp.ts";
import { program as atLarge } from "../../words/en/program.ts";
import type { AddOptions } from "../commands/mcp.ts";
import { collect } from "../flags.ts";
import type { Add, Run } from "./program.ts";

export function addMcp(program: Command, add: Add, run: Run): void {
  const mcp = program.command("mcp").description(atLarge().mcp);
  mcp
    .showHelpAfterError(`(${atLarge().showsCommands({ path: "agent mcp" })})`)
    .exitOverride()
    .helpCommand(false);
  const load = () => import("../commands/mcp.ts");
  add(mcp, { usage: "list", says: words().mcpList, bears: ["cwd", "json"] }).action(
    run(() => async (at) => (await load()).listMcp(at)),
  );
  add(mcp, { usage: "add <name> [words...]", says: words().mcpAdd, bears: [] })
    .option("--env <NAME=VALUE>", words().mcpAdd.options.env, collect, [])
    .option("--url <URL>", words().mcpAdd.options.url)
    .option("--header <NAME: VALUE>", words().mcpAdd.options.header, collect, [])
    .option("--private", words().mcpAdd.options.private)
    .option("--browser", words().mcpAdd.options.browser)
    .option("--chromium <PATH>", words().mcpAdd.options.chromium)
    .action(
      run((words, options) => async (at) => {
        const { header: headers, ...given } = options as Pick<AddOptions, "env" | "url" | "chromium"> & {
          header: string[];
        };
        const is = { isPrivate: options["private"] === true, isBrowser: options["browser"] === true };
        return (await load()).addMcp(at, words, { ...given, headers, ...is });
      }),
    );
  add(mcp, { usage: "remove <name>", says: words().mcpRemove, bears: [] }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).removeMcp(at, name),
    ),
  );
  addTrust(mcp, add, run);
  addSignIn(mcp, add, run);
  add(mcp, { usage: "logs <name>", says: words().mcpLogs, bears: ["cwd"] }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).logsOfMcp(at, name),
    ),
  );
}

function addTrust(mcp: Command, add: Add, run: Run): void {
  const load = () => import("../commands/mcp-trust.ts");
  add(mcp, { usage: "trust <name>", says: words().mcpTrust, bears: ["cwd", "json"] })
    .option("--yes", words().mcpTrust.options.yes)
    .action(
      run(
        ([name = ""], { yes }) =>
          async (at) =>
            (await load()).trustMcp(at, name, yes === true),
      ),
    );
  add(mcp, { usage: "test <name>", says: words().mcpTest, bears: ["cwd", "json"] }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).testMcp(at, name),
    ),
  );
}

function addSignIn(mcp: Command, add: Add, run: Run): void {
  const load = () => import("../commands/mcp-login.ts");
  add(mcp, { usage: "login <name>", says: words().mcpLogin, bears: ["cwd"] })
    .option("--scope <SCOPE>", words().mcpLogin.options.scope, collect, [])
    .option("--yes", words().mcpLogin.options.yes)
    .action(
      run(([name = ""], { scope, yes }) => async (at) => {
        const options = { scopes: scope as string[], yes: yes === true };
        return (await load()).loginMcp(at, name, options);
      }),
    );
  add(mcp, { usage: "logout <name>", says: words().mcpLogout, bears: ["cwd"] }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await load()).logoutMcp(at, name),
    ),
  );
}
