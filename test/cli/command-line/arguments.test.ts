import { expect, it, test } from "vitest";
import { asCommand, commands, valued } from "../../../src/cli/command-line/arguments.ts";
import { buildProgram } from "../../../src/cli/main.ts";

test.each([
  ["", "chat"],
  ["-c", "chat -c"],
  ["-m demo", "chat -m demo"],
  ["-m demo fix", "chat -m demo fix"],
  ["-p fix", "run fix"],
  ["--print --json fix", "run --json fix"],
  ["-C dir -p fix", "run -C dir fix"],
  ["-r", "resume"],
  ["--resume brisk-otter on", "resume brisk-otter on"],
  ["-r --mode read-only", "resume --mode read-only"],
  ["-r brisk -p on", "run --session brisk on"],
  ["-p on -r", "run --continue on"],
  ["-p -- -r", "run -- -r"],
  ["-m -p", "chat -m -p"],
  ["-C dir sessions list --all", "sessions list --all -C dir"],
  ["-C dir run -- -x", "run -C dir -- -x"],
  ["-C sessions", "chat -C sessions"],
  ["sessions -C dir", "sessions -C dir"],
  ["-h", "-h"],
  ["--version -p", "--version -p"],
  ["nothing", "nothing"],
])("agent %s is agent %s", (typed, meant) => {
  const words = (line: string) => line.split(" ").filter((word) => word !== "");
  expect(asCommand(words(typed), true)).toEqual(words(meant));
  expect(asCommand(asCommand(words(typed), true), true)).toEqual(words(meant));
});

it("takes a first word with a blank for a prompt, and nothing at all for a chat only at a terminal", () => {
  expect(asCommand(["fix the test", "-c"], true)).toEqual(["chat", "fix the test", "-c"]);
  expect(asCommand([], false)).toEqual([]);
});

it("knows every command, and every flag that takes a value wherever it stands", () => {
  const program = buildProgram({ stdout: process.stdout, stderr: process.stderr }, {}, async () => undefined);
  const known = program.commands.map((command) => command.name());
  expect([...commands].sort()).toEqual([...known, "help"].sort());
  const chat = program.commands.find((command) => command.name() === "chat");
  const taking = (chat?.options ?? []).filter(({ required }) => required).flatMap(({ short, long }) => [short, long]);
  expect([...valued].sort()).toEqual(taking.filter((flag) => flag !== undefined && flag !== null).sort());
});
