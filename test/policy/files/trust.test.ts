import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/json.ts";
import { distrust, trust, trustState } from "../../../src/policy/files/trust.ts";
import { PolicyProblem } from "../../../src/policy/problem.ts";
import { put, temporaryFolder } from "../support/folder.ts";

const policy = '{"rules": []}';
const project = { ".holdfast/policy.json": policy, ".holdfast/agents/a.md": "be kind", ".mcp.json": "{}" };

function places(files: Record<string, string | Uint8Array> = project) {
  const workspace = temporaryFolder(files);
  const trustFile = join(temporaryFolder(), "config/trust.json");
  return { workspace, trustFile };
}

async function trusted(files?: Record<string, string>) {
  const { workspace, trustFile } = places(files);
  const { digest } = await trustState(trustFile, workspace);
  await trust(trustFile, workspace, digest, 5);
  return { workspace, trustFile };
}

describe("trust of a workspace", () => {
  it("has nothing to ask where the project brings nothing", async () => {
    const { workspace, trustFile } = places({ "src/a.ts": "", "AGENTS.md": "" });
    mkdirSync(join(workspace, ".holdfast/agents"), { recursive: true });
    expect(await trustState(trustFile, workspace)).toMatchObject({
      state: "nothing_to_trust",
      files: [],
      obstacles: [],
    });
  });

  it("shows each file with its text before it is given", async () => {
    const { workspace, trustFile } = places();
    const state = await trustState(trustFile, workspace);
    expect(state).toEqual({
      workspace,
      state: "untrusted",
      digest: state.digest,
      files: [
        { path: ".mcp.json", real: join(workspace, ".mcp.json"), sha: sha256("{}"), text: "{}" },
        {
          path: ".holdfast/agents/a.md",
          real: join(workspace, ".holdfast/agents/a.md"),
          sha: sha256("be kind"),
          text: "be kind",
        },
        {
          path: ".holdfast/policy.json",
          real: join(workspace, ".holdfast/policy.json"),
          sha: sha256(policy),
          text: policy,
        },
      ],
      changed: [],
      obstacles: [],
    });
  });

  it("is kept with the user, for this workspace only", async () => {
    const { workspace, trustFile } = await trusted();
    expect((await trustState(trustFile, workspace)).state).toBe("trusted");
    expect((await trustState(trustFile, temporaryFolder(project))).state).toBe("untrusted");
    expect(statSync(trustFile).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(trustFile, "utf8"))).toEqual({
      v: 1,
      trusted: [
        {
          workspace,
          files: {
            ".mcp.json": sha256("{}"),
            ".holdfast/agents/a.md": sha256("be kind"),
            ".holdfast/policy.json": sha256(policy),
          },
          at: 5,
        },
      ],
    });
  });

  it("holds for the workspace by whatever link it is entered", async () => {
    const { workspace, trustFile } = await trusted();
    const link = join(temporaryFolder(), "link");
    symlinkSync(workspace, link);
    expect((await trustState(trustFile, link)).state).toBe("trusted");
  });

  it.each<[string, (workspace: string) => void, string[]]>([
    ["a byte changed", (ws) => put(ws, ".mcp.json", "{ }"), [".mcp.json"]],
    ["a file came", (ws) => put(ws, ".holdfast/tools/x.js", ""), [".holdfast/tools/x.js"]],
    ["a file went", (ws) => rmSync(join(ws, ".holdfast/policy.json")), [".holdfast/policy.json"]],
  ])("is gone when %s", async (_name, change, changed) => {
    const { workspace, trustFile } = await trusted();
    change(workspace);
    expect(await trustState(trustFile, workspace)).toMatchObject({ state: "changed", changed });
  });

  it("is not touched by the project's other files", async () => {
    const { workspace, trustFile } = await trusted();
    put(workspace, "src/other.ts", "");
    expect((await trustState(trustFile, workspace)).state).toBe("trusted");
  });

  it("comes back with the very bytes", async () => {
    const { workspace, trustFile } = await trusted();
    put(workspace, ".mcp.json", "{ }");
    put(workspace, ".mcp.json", "{}");
    expect((await trustState(trustFile, workspace)).state).toBe("trusted");
  });

  it("is not given to what was not shown", async () => {
    const { workspace, trustFile } = places();
    const shown = await trustState(trustFile, workspace);
    put(workspace, ".holdfast/policy.json", '{"rules": [1]}');
    expect((await trust(trustFile, workspace, shown.digest, 5)).state).toBe("untrusted");
    expect((await trustState(trustFile, workspace)).state).toBe("untrusted");
  });

  it("reaches through links: what they lead to is bound too", async () => {
    const { workspace, trustFile } = places({ "shared/agent.md": "be kind" });
    mkdirSync(join(workspace, ".holdfast"));
    symlinkSync("../shared", join(workspace, ".holdfast/agents"));
    const { digest } = await trustState(trustFile, workspace);
    expect((await trust(trustFile, workspace, digest, 5)).state).toBe("trusted");
    put(workspace, "shared/agent.md", "be rude");
    expect(await trustState(trustFile, workspace)).toMatchObject({
      state: "changed",
      changed: [".holdfast/agents/agent.md"],
    });
  });

  it.each<[string, (workspace: string) => void, RegExp]>([
    ["a FIFO", (ws) => execFileSync("mkfifo", [join(ws, ".holdfast/x")]), /\.holdfast\/x is a named pipe/],
    ["a link that leads round", (ws) => symlinkSync(".", join(ws, ".holdfast/x")), /deeper than 8/],
    ["a link that leads nowhere", (ws) => symlinkSync("gone", join(ws, ".holdfast/x")), /leads nowhere/],
    ["a file too large to read", (ws) => put(ws, ".holdfast/x", "x".repeat(1_000_001)), /limit/],
    [
      "too many files",
      (ws) => {
        for (let at = 0; at < 1_001; at += 1) put(ws, `.holdfast/${at}`, "");
      },
      /more than 1000 files/,
    ],
  ])("cannot be given while there is %s", async (_name, spoil, obstacle) => {
    const { workspace, trustFile } = places();
    spoil(workspace);
    const state = await trustState(trustFile, workspace);
    expect(state.obstacles.join("\n")).toMatch(obstacle);
    expect((await trust(trustFile, workspace, state.digest, 5)).state).toBe("untrusted");
    expect(readdirSync(join(trustFile, "../.."))).toEqual([]);
  });

  it("can be taken back", async () => {
    const { workspace, trustFile } = await trusted();
    expect([await distrust(trustFile, workspace), await distrust(trustFile, workspace)]).toEqual([true, false]);
    expect((await trustState(trustFile, workspace)).state).toBe("untrusted");
  });

  it.each([
    ["cut off", '{"v": 1,\n"trusted": [', ":2: the file ends too early"],
    ["of two lists", '{"v": 1, "trusted": [],\n"trusted": []}', ":2: "],
    ["of another form", '{"v": 2, "trusted": []}', ":1: this is not a list of trusted workspaces"],
    [
      "with a hash that is none",
      '{"v": 1, "trusted": [{"workspace": "/", "files": {"a": "x"}, "at": 1}]}',
      ":1: this is not",
    ],
  ])("is not guessed from a table that is %s", async (_name, text, message) => {
    const { workspace } = places();
    const trustFile = join(temporaryFolder({ "trust.json": text }), "trust.json");
    await expect(trustState(trustFile, workspace)).rejects.toThrow(PolicyProblem);
    await expect(trust(trustFile, workspace, "", 5)).rejects.toThrow(message);
    expect(readFileSync(trustFile, "utf8")).toBe(text);
  });
});
