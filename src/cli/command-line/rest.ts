import type { Command } from "commander";
import { addMcp } from "./mcp.ts";
import type { Add, Run } from "./program.ts";

export function addUndo(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "undo [id] [calls...]",
    text: "take back what calls changed in files and artifacts, by default those of the last turn",
    bears: ["cwd", "addDir", "json"],
    examples: [
      ["agent undo", "the last turn of this folder's newest session; it asks first"],
      ["agent undo brisk-otter c4 c5", "these calls"],
      ["agent undo brisk-otter --turn 2 --yes", "all of a turn, without asking"],
    ],
  })
    .option("--turn <n>", "all of this turn: a number from 1, or last")
    .option("--rest", "leave out calls against which something stands, such as a later change")
    .option("--yes", "approve what is printed, without asking")
    .action(
      run(([id, ...calls], { turn, yes, rest }) => async (at) => {
        const { undo } = await import("../commands/undo.ts");
        return undo(at, id, calls, { turn: turn as string | undefined, yes: yes === true, rest: rest === true });
      }),
    );
}

function addTools(program: Command, add: Add, run: Run): void {
  const tools = add(program, {
    usage: "tools [name]",
    text: "the tools, with where they are from, risk and effect",
    bears: ["cwd", "json"],
    examples: [
      ["agent tools", "what the model can call, and which of your own are left out"],
      ["agent tools deploy", "what the model is told of one, and its arguments"],
      ["agent tools --json", "with the schemas that it gets"],
    ],
  });
  tools.action(
    run(([name]) => async (at) => {
      const { listTools, showTool } = await import("../commands/tools.ts");
      return name === undefined ? listTools(at) : showTool(at, name);
    }),
  );
  add(tools, {
    usage: "new <name>",
    text: "write a tool for this project to begin with, and its test",
    bears: ["cwd", "json"],
    examples: [["agent tools new count_lines", "into .holdfast/tools; it takes effect with agent trust"]],
  }).action(
    run(
      ([name = ""]) =>
        async (at) =>
          (await import("../commands/tools-new.ts")).newTool(at, name),
    ),
  );
}

function addAgents(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "agents",
    text: "who can be handed work here, with what each may have",
    bears: ["cwd", "json"],
    examples: [["agent agents", "those of your settings and of this project, and which are left out"]],
  }).action(run(() => async (at) => (await import("../commands/agents.ts")).listAgents(at)));
  add(program, {
    usage: "skills",
    text: "skills that the model reads when a task needs them, and commands that files bring",
    bears: ["cwd", "json"],
    examples: [["agent skills", "yours and this project's, where each lies, and which are left out"]],
  }).action(run(() => async (at) => (await import("../commands/skills.ts")).listSkills(at)));
}

export function addSetup(program: Command, add: Add, run: Run): void {
  addModels(program, add, run);
  addTools(program, add, run);
  addAgents(program, add, run);
  addMcp(program, add, run);
  add(program, {
    usage: "trust",
    text: "let this project's own rules take effect",
    bears: ["cwd", "json"],
    examples: [
      ["agent trust", "shows the files, then asks"],
      ["agent trust --json", "whether it is trusted, and what was changed since"],
      ["agent trust --revoke", "takes that back"],
    ],
  })
    .option("--yes", "without asking")
    .option("--revoke", "take it back: these rules, tools and settings wait again")
    .action(
      run((_, { yes, revoke }) => async (at) => {
        const { revokeTrust, trustWorkspace } = await import("../commands/trust.ts");
        return revoke === true ? revokeTrust(at, yes === true) : trustWorkspace(at, yes === true);
      }),
    );
  addMemories(program, add, run);
  addImport(program, add, run);
  add(program, {
    usage: "completion <shell>",
    text: "a script that completes words in bash, zsh or fish",
    bears: [],
    examples: [
      ['eval "$(agent completion bash)"', "in ~/.bashrc"],
      ['eval "$(agent completion zsh)"', "in ~/.zshrc, behind compinit"],
      ["agent completion fish | source", "in ~/.config/fish/config.fish"],
    ],
  }).action(
    run(
      ([shell = ""]) =>
        async (at) =>
          (await import("../commands/completion.ts")).printCompletion(at, shell),
    ),
  );
  add(program, {
    usage: "doctor",
    text: "check the installation, settings and model",
    bears: ["cwd", "addDir", "model", "rules", "json"],
    examples: [
      ["agent doctor", "what was found here; 1 where something is wrong"],
      ["agent doctor --prompt", "what the model is told before your first message"],
    ],
  })
    .option("--prompt", "print the system prompt")
    .option("--limits", "print how much is taken of a model, its server and a repository")
    .action(
      run((_, { prompt, limits }) => async (at) => {
        const { examine, showLimits, showPrompt } = await import("../commands/doctor.ts");
        if (limits === true) return showLimits(at);
        return prompt === true ? showPrompt(at) : examine(at);
      }),
    );
}

function addImport(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "import <program>",
    text: "take over rules, instructions and servers of claude, codex, gemini, opencode or vscode",
    bears: ["cwd", "json"],
    examples: [
      ["agent import claude", "shows what it would write, and what it leaves out; then asks"],
      ["agent import opencode --yes", "without asking"],
      ["agent import codex --json", "an object a line; writes nothing without --yes"],
    ],
  })
    .option("--yes", "write what is printed, without asking")
    .action(
      run(([name = ""], { yes }) => async (at) => {
        const { importSettings } = await import("../commands/import-settings.ts");
        return importSettings(at, name, yes === true);
      }),
    );
}

function addModels(program: Command, add: Add, run: Run): void {
  add(program, {
    usage: "models",
    text: "the models of the settings, and those that the servers answer",
    bears: ["model", "json"],
    examples: [
      ["agent models", "each with what is known of it"],
      ["agent models --json", "an object a line; a server that gave no list has its reason"],
    ],
  }).action(run(() => async (at) => (await import("../commands/models.ts")).listModels(at)));
}

function addMemories(program: Command, add: Add, run: Run): void {
  const memories = add(program, {
    usage: "memories",
    text: "what is remembered beyond a session",
    bears: ["json"],
    examples: [
      ["agent memories", "each, with where it is told"],
      ["agent memories rm 1a2b3c4d", "forget one"],
    ],
  });
  const load = () => import("../commands/memories.ts");
  const list = run(() => async (at) => (await load()).listMemories(at));
  memories.action(list);
  add(memories, {
    usage: "list",
    text: "each, with where it is told",
    bears: ["json"],
    examples: [
      ["agent memories list", "with the session that saved it"],
      ["agent memories list --json", "an object a line"],
    ],
  }).action(list);
  add(memories, {
    usage: "rm <id...>",
    text: "remove",
    bears: [],
    examples: [
      ["agent memories rm 1a2b", "by the beginning of its id"],
      ["agent memories rm 1a2b 3c4d", "all of these, or none"],
    ],
  }).action(run((ids) => async (at) => (await load()).removeMemories(at, ids)));
  add(memories, {
    usage: "move <id>",
    text: "tell it in this workspace alone, or everywhere",
    bears: ["cwd"],
    examples: [
      ["agent memories move 1a2b", "in this workspace alone"],
      ["agent memories move 1a2b --everywhere", "in all projects"],
    ],
  })
    .option("--everywhere", "tell it in all projects")
    .action(
      run(
        ([id = ""], { everywhere }) =>
          async (at) =>
            (await load()).moveMemory(at, id, everywhere === true),
      ),
    );
}
