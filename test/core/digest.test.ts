import { expect, test } from "vitest";
import type { PlannedCommand } from "../../src/core/command.ts";
import { digestOf } from "../../src/core/digest.ts";
import { sha256 } from "../../src/core/json.ts";
import type { FilePlan, Plan } from "../../src/core/tool.ts";

const file = {
  asked: "a.ts",
  real: "/ws/a.ts",
  kind: "modify",
  before: "b".repeat(64),
  after: "c".repeat(64),
  mode: 0o644,
  eol: "lf",
  bom: false,
  encoding: "utf-8",
} as FilePlan;
const plan: Plan = { summary: "edit a.ts (+1 -1)", cwd: "/ws", diff: "-a\n+b\n", files: [file] };
const parts = { toolName: "edit_file", arguments: { b: 1, a: "x" }, plan };

/** `cat link`, which is a link to that. */
const leadsTo = (real: string): PlannedCommand => ({
  text: "cat link",
  argv: ["cat", "link"],
  assignments: [],
  redirects: [],
  paths: [{ asked: "/ws/link", real, access: "read" }],
  isPathsKnown: true,
  understood: true,
});

test("is the sha256 of the RFC 8785 JSON of the tool, its arguments and what the plan would do", () => {
  const bound = `{"after":"${"c".repeat(64)}","before":"${"b".repeat(64)}","bom":false,"encoding":"utf-8","eol":"lf","kind":"modify","mode":420,"real":"/ws/a.ts"}`;
  const text = `{"arguments":{"a":"x","b":1},"cwd":"/ws","files":[${bound}],"toolName":"edit_file"}`;
  expect(digestOf(parts)).toBe(sha256(text));
});

test("does not depend on the order of keys, nor on what is only for the eyes", () => {
  const same = [
    { plan: { ...plan }, arguments: { a: "x", b: 1 }, toolName: "edit_file" },
    { ...parts, plan: { ...plan, diff: "-a\n+c\n" } },
    { ...parts, plan: { ...plan, summary: "another line" } },
    { ...parts, plan: { ...plan, warnings: ["this session never read the file"] } },
    { ...parts, plan: { ...plan, files: [{ ...file, asked: "./a.ts" }] } },
  ];
  expect(new Set([parts, ...same].map(digestOf)).size).toBe(1);
});

test("differs when anything differs that the call would do", () => {
  const others = [
    { ...parts, toolName: "write_file" },
    { ...parts, arguments: { b: 1, a: "y" } },
    { ...parts, arguments: { b: "1", a: "x" } },
    { ...parts, plan: { ...plan, cwd: "/ws/sub" } },
    { ...parts, plan: { ...plan, effect: "none" as const } },
    { ...parts, plan: { ...plan, commands: [leadsTo("/ws/a.ts")] } },
    { ...parts, plan: { ...plan, commands: [leadsTo("/ws/b.ts")] } },
    { ...parts, plan: { ...plan, files: [{ ...file, real: "/ws/b.ts" }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, kind: "new" as const }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, before: null }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, after: null }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, mode: 0o755 }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, eol: "crlf" as const }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, bom: true }] } },
    { ...parts, plan: { ...plan, files: [{ ...file, encoding: "latin1" as const }] } },
    { ...parts, plan: { ...plan, files: [] } },
    { ...parts, plan: { ...plan, artifacts: [{ address: "a1", before: file.before, after: null }] } },
    { ...parts, plan: { ...plan, artifacts: [{ address: "a1", before: file.before, after: file.after }] } },
    { ...parts, plan: { ...plan, command: "npm test" } },
    { ...parts, plan: { ...plan, hosts: [{ host: "example.com" }] } },
    { ...parts, plan: { summary: "", cwd: "/ws" } },
    { ...parts, plan: { ...plan, operands: [{ path: "/ws/x.sh", sha: "d".repeat(64) }] } },
    { ...parts, plan: { ...plan, operands: [{ path: "/ws/y.sh", sha: "d".repeat(64) }] } },
    { ...parts, plan: { ...plan, operands: [{ path: "/ws/x.sh", sha: "e".repeat(64) }] } },
    { ...parts, plan: { ...plan, network: true } },
    { ...parts, plan: { ...plan, sandbox: true } },
    { ...parts, plan: { ...plan, path: "/usr/bin" } },
    { ...parts, plan: { ...plan, environment: ["HOME"] } },
  ];
  expect(new Set([parts, ...others].map(digestOf)).size).toBe(others.length + 1);
});
