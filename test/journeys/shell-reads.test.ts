import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openPlace, type Told } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { freely } from "../support/needs.ts";
import { processesOf } from "../support/under-way.ts";

const shell = (command: string) => ({ name: "shell", arguments: { command } });
const calls = (told: Told) =>
  told.of("tool_call").flatMap(({ call }) => ("toolName" in call && call.status !== "pending" ? [call] : []));

describe("a command that only reads", () => {
  it("has no effect, and so runs beside others that only read, in the mode read-only too", async () => {
    const place = await openPlace(
      [asks("shell", { command: "cat a.txt | wc -l" }, { calls: [shell("ls"), shell("touch b.txt")] }), says("Read.")],
      { "a.txt": "a\n" },
    );
    const ran = await place.json(["run", "look", "--mode", "read-only"]);
    expect(calls(ran)).toMatchObject([
      { callId: "c3", status: "cancelled", effect: "once" },
      { callId: "c1", status: "success", effect: "none" },
      { callId: "c2", status: "success", effect: "none" },
    ]);
    const life = ran.of("tool_call").map(({ call: { callId, status } }) => `${callId} ${status}`);
    expect(life.slice(-4)).toEqual(["c1 executing", "c2 executing", "c1 success", "c2 success"]);
  });

  it("is run again after kill -9, and nobody is asked about it", async () => {
    const sleep = `sleep 5.8${process.pid}`;
    const place = await openPlace([asks("shell", { command: `${sleep}; cat a.txt` }), says("Read.")], {
      "a.txt": "text of a\n",
    });
    const dying = place.spawn(["run", "look", "--json"]);
    await expect.poll(() => processesOf(sleep)).toBeGreaterThan(0);
    dying.child.kill("SIGKILL");
    await dying.done;
    const { session } = JSON.parse(dying.stdout().split("\n")[0] ?? "") as { session: string };
    const on = await place.json(["resume", session]);
    expect(on).toMatchObject({ code: 0, end: { reason: "done", text: "Read." } });
    expect(calls(on)).toMatchObject([{ callId: "c1", status: "success", effect: "none", attempt: 2 }]);
    expect(place.heard(-1, -1)).toContain("text of a\n");
  });

  it("is asked about again where its words lead elsewhere by the time it is to run", async () => {
    const place = await openPlace(
      [asks("shell", { command: "ln -sf /etc/hostname link" }, { calls: [shell("cat link")] }), says("Read.")],
      { "a.txt": "a\n" },
    );
    symlinkSync("a.txt", `${place.workspace}/link`);
    const asked = await place.json(["run", "look"]);
    expect(asked.the("approval_requested").calls).toMatchObject([{ callId: "c1" }]);
    const on = await place.json(["resume", asked.session, "--approve", "c1"]);
    expect(on).toMatchObject({ code: 11, end: { reason: "awaiting_approval" } });
    expect(on.of("approval_requested").map(({ calls }) => calls.map(({ callId }) => callId))).toEqual([["c1"], ["c2"]]);
  });

  it("counts as one that does more, where that is what its words lead to by then", async () => {
    const place = await openPlace(
      [
        asks("shell", { command: "ln -sf /etc/hostname link" }, { calls: [shell("cat link"), shell("ls")] }),
        says("Read."),
      ],
      { "a.txt": "a\n" },
    );
    symlinkSync("a.txt", `${place.workspace}/link`);
    const ran = await place.json(["run", "look", "--mode", "full-auto", ...freely]);
    expect(calls(ran)).toMatchObject([
      { callId: "c1", status: "success", effect: "once" },
      { callId: "c2", status: "success", effect: "once" },
      { callId: "c3", status: "success", effect: "none" },
    ]);
  });

  it("that was approved is asked about again where its words lead elsewhere by then", async () => {
    const place = await openPlace([asks("shell", { command: "cat link" }), says("Read.")], {
      "a.txt": "a\n",
      "b.txt": "b\n",
    });
    symlinkSync("a.txt", `${place.workspace}/link`);
    await place.write("../home/policy.json", '{"rules": [{"tool": "shell", "command": "cat *", "decision": "ask"}]}');
    const asked = await place.json(["run", "look"]);
    const { digest } = asked.the("approval_requested").calls[0] ?? { digest: "" };
    spawnSync("ln", ["-sfn", "b.txt", "link"], { cwd: place.workspace });
    const on = await place.json(["resume", asked.session, "--approve", `c1@${digest}`]);
    expect(on.the("approval_requested").calls).toMatchObject([{ callId: "c1", changed: { from: digest } }]);
    const over = await place.json(["resume", asked.session, "--approve", "c1"]);
    expect(calls(over)).toMatchObject([{ status: "success", effect: "none", result: { output: "b\n(exit code 0)" } }]);
  });
});
