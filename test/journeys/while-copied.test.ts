import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openPlace, type Place, type Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { describeInSandbox } from "../support/needs.ts";

const points = globalThis as Record<symbol, unknown>;
const hook = Symbol.for("holdfast.fault");

/** Files of the workspace are copied before a command that may change them; then, once `isDue`, this happens, once. */
function onCopied(happens: () => void, isDue: () => boolean = () => true): void {
  let left = 1;
  points[hook] = (name: string): void => {
    if (name !== "temporary created" || !isDue() || left === 0) return;
    left -= 1;
    happens();
  };
  onTestFinished(() => {
    delete points[hook];
    expect(left).toBe(0);
  });
}

const rules = (command: string, decision: "allow" | "deny"): string =>
  JSON.stringify({ rules: [{ tool: "shell", command, decision, why: "said so" }] });

function put(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

const script = { "b.sh": "echo one > ran\n" };
const place = () => openPlace([asks("shell", { command: "bash b.sh" }), says("Done.")], script);
const change = (at: Place) => () => put(at.path("b.sh"), "echo two > ran\n");
const forbid = (at: Place) => () => put(join(at.home, "policy.json"), rules("bash *", "deny"));

/** How the last command ended, and why. */
const end = (ran: Told) => {
  const call = ran.of("tool_call").at(-1)?.call;
  return [call?.status, call !== undefined && "errorCode" in call ? call.errorCode : undefined];
};

describe("while its workspace is copied, before it runs,", () => {
  it("an approved command whose script changes is not run, and is asked about again", async () => {
    const at = await place();
    const asked = await at.json(["run", "go"]);
    onCopied(change(at));
    const ran = await at.json(["resume", asked.session, "--approve", "c1"]);
    expect([ran.code, at.has("ran")]).toEqual([11, false]);
    expect(ran.of("approval_requested").at(-1)?.calls).toMatchObject([{ callId: "c1", changed: {} }]);
  });

  it("an approved command that a rule forbids by then is not run", async () => {
    const at = await place();
    const asked = await at.json(["run", "go"]);
    onCopied(forbid(at));
    const ran = await at.json(["resume", asked.session, "--approve", "c1"]);
    expect([end(ran)[0], at.has("ran")]).toEqual(["cancelled", false]);
  });

  it("a command that a rule allows, and whose script changes, is planned anew, and runs as what it is then", async () => {
    const at = await place();
    put(join(at.home, "policy.json"), rules("bash b.sh", "allow"));
    onCopied(change(at));
    const ran = await at.json(["run", "go"]);
    expect([end(ran), await at.read("ran")]).toEqual([["success", undefined], "two\n"]);
  });
});

describeInSandbox("while its workspace is copied, a script of the session (needs bubblewrap)", () => {
  const made = () =>
    openPlace([
      asks("write_file", { file_path: "a.sh", content: "echo one\n" }),
      says("Written."),
      asks("shell", { command: "bash a.sh" }),
      says("Done."),
    ]);

  it("that a rule forbids by then is not run", async () => {
    const at = await made();
    const open = ["--mode", "accept-edits", "--auto-sandbox"];
    const { session } = await at.json(["run", "go", ...open]);
    onCopied(forbid(at));
    expect(end(await at.json(["run", "on", "--session", session, ...open]))[0]).toBe("cancelled");
  });

  it("is asked about where the grant for it is taken back by then, and the grant does not come back", async () => {
    const at = await made();
    const { session } = await at.json(["run", "go", "--mode", "accept-edits"]);
    const file = join(at.home, "grants.json");
    const grant = { id: "g-1", scope: "session", key: session, tool: "shell", made: true, at: 1, why: "said so" };
    put(file, JSON.stringify({ v: 1, grants: [grant] }));
    onCopied(
      () => put(file, JSON.stringify({ v: 1, grants: [] })),
      () => existsSync(file) && readFileSync(file, "utf8").includes("g-1"),
    );
    const ran = await at.json(["run", "on", "--session", session]);
    expect(ran.of("approval_requested").map(({ calls }) => calls.map(({ callId }) => callId))).toEqual([["c2"]]);
  });
});
