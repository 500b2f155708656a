import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toolNameOf } from "../../src/tools/mcp/names.ts";
import { type McpPlace, openMcpPlace } from "../support/mcp.ts";
import { asks, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

const calls = (place: McpPlace): string[] => place.noted().filter((line) => /^(?:call|cancelled)/u.test(line));

const allowed = (place: McpPlace): Promise<void> =>
  writeFile(
    join(place.home, "policy.json"),
    JSON.stringify({ rules: [{ tool: "mcp__small__*", decision: "allow", why: "test" }] }),
  );

const isGone = (place: McpPlace) => expect.poll(() => place.alive(), { timeout: 20_000 }).toEqual([]);

it("a person sees a call whole, approves it by a key, and nothing of the server reaches their terminal as it is", async () => {
  const red = toolNameOf("small", "esc.ape \u001b[31m");
  const place = await openMcpPlace([asks(red, { text: "to be read" }), says("Red it is.")], {
    env: { MCP_MODE: "grandchild" },
  });
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  await pty.waitFor('{"text":"to be read"}');
  await pty.waitFor(/without a sandbox|no sandbox|not sandboxed|network/u);
  await pty.waitFor("Yes, once");
  expect(calls(place)).toEqual([]);
  await readQuestion();
  pty.key("y");
  await pty.waitFor("Red it is.");
  expect(calls(place)).toEqual(["call esc.ape \u001b[31m"]);
  expect(place.alive().length).toBe(2);
  pty.leave();
  await pty.exit;
  await isGone(place);
  expect(pty.raw()).not.toContain("\u001b]0;owned");
});

it("Esc tells the server to stop; where it does not answer the outcome is unknown, and the server goes on for the next call", async () => {
  const place = await openMcpPlace([
    asks("mcp__small__hangs", {}),
    asks("mcp__small__echo", { text: "after" }),
    says("Done."),
  ]);
  await allowed(place);
  const pty = place.chat(["chat"], { cols: 100, rows: 30 });
  await pty.waitFor(/ask, or|^> /mu);
  pty.type("go\r");
  await expect.poll(() => calls(place), { timeout: 60_000 }).toEqual(["call hangs"]);
  pty.key("escape");
  await pty.waitFor(/was told to stop, and did not say what it had done/u);
  expect(calls(place)).toEqual(["call hangs", "cancelled"]);
  expect(place.alive().length).toBe(1);
  pty.leave();
  await pty.exit;
  await isGone(place);
});

it("a server that hangs as it starts is ended with the run that waits for it, and no call was made", async () => {
  const place = await openMcpPlace([asks("mcp__small__echo", { text: "a" }), says("Done.")], {
    env: { MCP_MODE: "stubborn" },
  });
  await allowed(place);
  await writeFile(`${place.changed}.silent`, "");
  const starts = place.noted().filter((line) => line.startsWith("start")).length;
  const running = place.spawn(["run", "go", "--json"]);
  await expect
    .poll(() => place.noted().filter((line) => line.startsWith("start")).length, { timeout: 60_000 })
    .toBe(starts + 1);
  running.child.kill("SIGTERM");
  await running.done;
  await isGone(place);
  expect(calls(place)).toEqual([]);
});

it("once a guarded file was read a call is asked about, whatever a rule says", async () => {
  const place = await openMcpPlace([
    asks("read_file", { file_path: ".env" }),
    asks("mcp__small__echo", { text: "KEY=1" }),
    says("Done."),
  ]);
  await allowed(place);
  await place.write(".env", "KEY=1\n");
  const first = await place.json(["run", "go"]);
  const read = await place.json(["resume", first.session, "--approve", "c1"]);
  expect(read.code).toBe(11);
  expect(read.of("approval_requested").at(-1)?.calls[0]).toMatchObject({
    toolName: "mcp__small__echo",
    verdict: { why: expect.stringContaining(".env was read in this session") },
  });
  expect(calls(place)).toEqual([]);
});

it("what a call changes in the workspace is shown, and can be undone", async () => {
  const place = await openMcpPlace([asks("mcp__small__write", { text: "changed\n" }), says("Done.")]);
  await allowed(place);
  await place.write("notes.txt", "before\n");
  const ran = await place.json(["run", "go"]);
  expect(ran.of("tool_call").at(-1)).toMatchObject({
    call: { status: "success", result: { metadata: { added: 1, removed: 1 } } },
  });
  const undone = await place.run(["undo", ran.session, "--yes"]);
  expect(undone.code).toBe(0);
  expect(await readFile(place.path("notes.txt"), "utf8")).toBe("before\n");
});

it("a call during which something changed that nobody may change unasked is put before the person", async () => {
  const place = await openMcpPlace([asks("mcp__small__write", { text: "a", more: true }), says("Done.")]);
  await allowed(place);
  const ran = await place.json(["run", "go"]);
  expect(ran.code).toBe(11);
  expect(ran.the("recovery_requested").calls[0]?.known).toContain(".vscode/tasks.json changed");
});
