import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { findCommands } from "../../../src/cli/settings/command-files.ts";
import { trustState } from "../../../src/policy/files/trust.ts";

it("are looked for in what a project is trusted with only where it has a folder for them", async () => {
  const workspace = mkdtempSync(join(tmpdir(), "commands-"));
  onTestFinished(() => rmSync(workspace, { recursive: true }));
  const configDir = join(workspace, "config");
  mkdirSync(join(configDir, "commands"), { recursive: true });
  writeFileSync(join(configDir, "commands/own.md"), "Own.");
  const asked: string[] = [];
  const find = () =>
    findCommands({
      configDir,
      workspace,
      isOwn: () => false,
      trusted: () => {
        asked.push(workspace);
        return trustState(join(configDir, "trust.json"), workspace);
      },
    });
  mkdirSync(join(workspace, ".holdfast/agents"), { recursive: true });
  expect((await find()).commands.map(({ name }) => name)).toEqual(["own"]);
  expect(asked).toEqual([]);
  for (const folder of [".holdfast", ".claude", ".opencode", ".gemini"]) {
    mkdirSync(join(workspace, folder, "commands"), { recursive: true });
    await find();
    rmSync(join(workspace, folder), { recursive: true });
  }
  expect(asked).toHaveLength(4);
});
