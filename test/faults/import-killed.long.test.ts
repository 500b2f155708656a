import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openFaultPlace } from "./place.ts";
import { sharedFaultyAgent } from "./shared-agent.ts";

const web = { type: "http", url: "https://mcp.example.com/mcp" };
const mine = '{\n  // mine\n  "mcpServers": { "mine": { "command": "mine" } }\n}\n';

/** Somebody who has a rule and a server for another program, so that two files are written. */
async function openImport() {
  const agent = await sharedFaultyAgent();
  const place = await openFaultPlace(agent.program);
  onTestFinished(() => place.remove());
  await mkdir(join(place.root, ".claude"));
  await writeFile(join(place.home, "config.json"), mine);
  await writeFile(
    join(place.root, ".claude", "settings.json"),
    JSON.stringify({ permissions: { allow: ["Bash(git status)"] }, mcpServers: { web } }),
  );
  const command = { HOLDFAST_COMMAND: JSON.stringify(["import", "claude", "--yes"]) };
  const read = (file: string) => readFile(join(place.home, file), "utf8").catch(() => undefined);
  return {
    place,
    take: (env: Record<string, string> = {}) => place.start([], { ...command, ...env }).done,
    files: async () => [await read("policy.json"), await read("config.json")],
  };
}

it("an import that is killed, and once more behind it, leaves each file as it was or as it was to be, and the next ends it", async () => {
  const whole = await openImport();
  const log = join(whole.place.root, "reached");
  expect(await whole.take({ HOLDFAST_REACHED: log })).toMatchObject({ code: 0 });
  const [policy, config] = await whole.files();
  expect(config).toContain("// mine");
  const reached = (await readFile(log, "utf8")).split("\n").filter((name) => name !== "" && name !== "command ended");
  const faults = reached.map((name, at) => `${name}#${reached.slice(0, at + 1).filter((one) => one === name).length}`);
  expect(faults.length).toBeGreaterThan(8);
  for (const fault of faults) {
    const { take, files } = await openImport();
    expect(await take({ HOLDFAST_FAULT: `${fault}=kill` })).toMatchObject({ struck: true, signal: "SIGKILL" });
    const look = async (): Promise<void> => {
      const [rules, settings] = await files();
      expect([undefined, policy], fault).toContain(rules);
      expect([mine, config], fault).toContain(settings);
    };
    await look();
    await take({ HOLDFAST_FAULT: `${fault.replace(/#.*/u, "#1")}=kill` });
    await look();
    expect(await take(), fault).toMatchObject({ code: 0 });
    expect(await files(), fault).toEqual([policy, config]);
  }
});
