import type { CommandHelp } from "../help.ts";
import { room } from "../room.ts";

/** The texts of `--help` on the commands of command-line/rest.ts. */
export const helpRest = room("helpRest", {
  undo: {
    text: "take back what calls changed in files and artifacts, by default those of the last turn",
    examples: [
      ["agent undo", "the last turn of this folder's newest session; it asks first"],
      ["agent undo brisk-otter c4 c5", "these calls"],
      ["agent undo brisk-otter --turn 2 --yes", "all of a turn, without asking"],
    ],
    options: {
      yes: "approve what is printed, without asking",
      rest: "leave out calls against which something stands, such as a later change",
      turn: "all of this turn: a number from 1, or last",
    },
  },
  tools: {
    text: "the tools, with where they are from, risk and effect",
    examples: [
      ["agent tools", "what the model can call, and which of your own are left out"],
      ["agent tools deploy", "what the model is told of one, and its arguments"],
      ["agent tools --json", "with the schemas that it gets"],
    ],
  },
  toolsNew: {
    text: "write a tool for this project to begin with, and its test",
    examples: [["agent tools new count_lines", "into .holdfast/tools; it takes effect with agent trust"]],
  },
  agents: {
    text: "who can be handed work here, with what each may have",
    examples: [["agent agents", "those of your settings and of this project, and which are left out"]],
  },
  skills: {
    text: "skills that the model reads when a task needs them, and commands that files bring",
    examples: [["agent skills", "yours and this project's, where each lies, and which are left out"]],
  },
  trust: {
    text: "let this project's own rules take effect",
    examples: [
      ["agent trust", "shows the files, then asks"],
      ["agent trust --json", "whether it is trusted, and what was changed since"],
      ["agent trust --revoke", "takes that back"],
    ],
    options: { revoke: "take it back: these rules, tools and settings wait again", yes: "without asking" },
  },
  completion: {
    text: "a script that completes words in bash, zsh or fish",
    examples: [
      ['eval "$(agent completion bash)"', "in ~/.bashrc"],
      ['eval "$(agent completion zsh)"', "in ~/.zshrc, behind compinit"],
      ["agent completion fish | source", "in ~/.config/fish/config.fish"],
    ],
  },
  doctor: {
    text: "check the installation, settings and model",
    examples: [
      ["agent doctor", "what was found here; 1 where something is wrong"],
      ["agent doctor --prompt", "what the model is told before your first message"],
    ],
    options: {
      limits: "print how much is taken of a model, its server and a repository",
      prompt: "print the system prompt",
    },
  },
  import: {
    text: "take over rules, instructions and servers of claude, codex, gemini, opencode or vscode",
    examples: [
      ["agent import claude", "shows what it would write, and what it leaves out; then asks"],
      ["agent import opencode --yes", "without asking"],
      ["agent import codex --json", "an object a line; writes nothing without --yes"],
    ],
    options: { yes: "write what is printed, without asking" },
  },
  models: {
    text: "the models of the settings, and those that the servers answer",
    examples: [
      ["agent models", "each with what is known of it"],
      ["agent models --json", "an object a line; a server that gave no list has its reason"],
    ],
  },
  memories: {
    text: "what is remembered beyond a session",
    examples: [
      ["agent memories", "each, with where it is told"],
      ["agent memories rm 1a2b3c4d", "forget one"],
    ],
  },
  memoriesList: {
    text: "each, with where it is told",
    examples: [
      ["agent memories list", "with the session that saved it"],
      ["agent memories list --json", "an object a line"],
    ],
  },
  memoriesRm: {
    text: "remove",
    examples: [
      ["agent memories rm 1a2b", "by the beginning of its id"],
      ["agent memories rm 1a2b 3c4d", "all of these, or none"],
    ],
  },
  memoriesMove: {
    text: "tell it in this workspace alone, or everywhere",
    examples: [
      ["agent memories move 1a2b", "in this workspace alone"],
      ["agent memories move 1a2b --everywhere", "in all projects"],
    ],
    options: { everywhere: "tell it in all projects" },
  },
} satisfies Record<string, CommandHelp>);
