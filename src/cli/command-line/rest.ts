import type { Command } from "commander";
import { helpRest as words } from "../../words/en/help-rest.ts";
import { addMcp } from "./mcp.ts";
import type { Add, Run } from "./program.ts";

export function addUndo(program: Command, add: Add, run: Run): void {
  add(program, { usage: "undo [id] [calls...]", says: words().undo, bears: ["cwd", "addDir", "json"] })
    .option("--turn <n>", words().undo.options.turn)
    .option("--rest", words().undo.options.rest)
    .option("--yes", words().undo.options.yes)
    .action(
      run(([id, ...calls], { turn, yes, rest }) => async (at) => {
        const { undo } = await import("../commands/undo.ts");
        return undo(at, id, calls, { turn: turn as string | undefined, yes: yes === true, rest: rest === true });
      }),
    );
}

function addTools(program: Command, add: Add, run: Run): void {
  const tools = add(program, { usage: "tools [name]", says: words().tools, bears: ["cwd", "json"] });
  tools.action(
    run(([name]) => async (at) => {
      const { listTools, showTool } = await import("../commands/tools.ts");
      return name === undefined ? listTools(at) : showTool(at, name);
    }),
  );
  add(tools, { usage: "new <name>", says: words().toolsNew, bears: ["cwd", "json"] }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await import("../commands/tools-new.ts")).newTool(at, name),
    ),
  );
}

function addAgents(program: Command, add: Add, run: Run): void {
  add(program, { usage: "agents", says: words().agents, bears: ["cwd", "json"] }).action(
    run(() => async (at) => (await import("../commands/agents.ts")).listAgents(at)),
  );
  add(program, { usage: "skills", says: words().skills, bears: ["cwd", "json"] }).action(
    run(() => async (at) => (await import("../commands/skills.ts")).listSkills(at)),
  );
}

export function addSetup(program: Command, add: Add, run: Run): void {
  addModels(program, add, run);
  addTools(program, add, run);
  addAgents(program, add, run);
  addMcp(program, add, run);
  add(program, { usage: "trust", says: words().trust, bears: ["cwd", "json"] })
    .option("--yes", words().trust.options.yes)
    .option("--revoke", words().trust.options.revoke)
    .action(
      run((_, { yes, revoke }) => async (at) => {
        const { revokeTrust, trustWorkspace } = await import("../commands/trust.ts");
        return revoke === true ? revokeTrust(at, yes === true) : trustWorkspace(at, yes === true);
      }),
    );
  addMemories(program, add, run);
  addImport(program, add, run);
  add(program, { usage: "completion <shell>", says: words().completion, bears: [] }).action(
    run(
      ([shell = ""]) =>
        async (at) =>
          (await import("../commands/completion.ts")).printCompletion(at, shell),
    ),
  );
  add(program, { usage: "doctor", says: words().doctor, bears: ["cwd", "addDir", "model", "rules", "json"] })
    .option("--prompt", words().doctor.options.prompt)
    .option("--limits", words().doctor.options.limits)
    .action(
      run((_, { prompt, limits }) => async (at) => {
        const { examine, showLimits, showPrompt } = await import("../commands/doctor.ts");
        if (limits === true) return showLimits(at);
        return prompt === true ? showPrompt(at) : examine(at);
      }),
    );
}

function addImport(program: Command, add: Add, run: Run): void {
  add(program, { usage: "import <program>", says: words().import, bears: ["cwd", "json"] })
    .option("--yes", words().import.options.yes)
    .action(
      run(([name = ""], { yes }) => async (at) => {
        const { importSettings } = await import("../commands/import-settings.ts");
        return importSettings(at, name, yes === true);
      }),
    );
}

function addModels(program: Command, add: Add, run: Run): void {
  add(program, { usage: "models", says: words().models, bears: ["model", "json"] }).action(
    run(() => async (at) => (await import("../commands/models.ts")).listModels(at)),
  );
}

function addMemories(program: Command, add: Add, run: Run): void {
  const memories = add(program, { usage: "memories", says: words().memories, bears: ["json"] });
  const load = () => import("../commands/memories.ts");
  const list = run(() => async (at) => (await load()).listMemories(at));
  memories.action(list);
  add(memories, { usage: "list", says: words().memoriesList, bears: ["json"] }).action(list);
  add(memories, { usage: "rm <id...>", says: words().memoriesRm, bears: [] }).action(
    run((ids) => async (at) => (await load()).removeMemories(at, ids)),
  );
  add(memories, { usage: "move <id>", says: words().memoriesMove, bears: ["cwd"] })
    .option("--everywhere", words().memoriesMove.options.everywhere)
    .action(
      run(
        ([id = ""], { everywhere }) =>
          async (at) =>
            (await load()).moveMemory(at, id, everywhere === true),
      ),
    );
}
