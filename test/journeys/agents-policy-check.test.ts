import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { PolicyCheckLine } from "../../src/policy/types.ts";
import { openPlace } from "../support/cli.ts";
import { type Answer, asks, says } from "../support/model-server.ts";

const write = (file: string) => asks("write_file", { file_path: file, content: "new\n" });
const tried = ["asked.txt", "denied.txt", "later.txt"];

it("policy check with a helper's session judges as that helper's own calls are: by the least of its rights then and now", async () => {
  const answer: Answer = ({ body: { messages } }) => {
    const isRoot = messages.some(({ role, content }) => role === "user" && content === "go");
    const spoken = messages.filter(({ role }) => role === "assistant").length;
    if (isRoot) return spoken === 0 ? asks("agent", { task: "work", agent: "writer" }) : says("Done.");
    return [...tried.map(write), asks("shell", { command: "ls" })][spoken] ?? says("Worked.");
  };
  const place = await openPlace(Array.from({ length: 24 }, () => answer));
  const writer = { description: "writes", prompt: "Write.", toolkit: ["read_file", "write_file"] };
  const rules = (...decisions: readonly (readonly [string, string])[]) =>
    writeFile(
      join(place.home, "policy.json"),
      JSON.stringify({ rules: decisions.map(([path, decision]) => ({ tool: "write_file", paths: [path], decision })) }),
    );
  await mkdir(place.home, { recursive: true });
  await writeFile(join(place.home, "config.json"), JSON.stringify({ agents: { writer } }));
  await rules(["denied.txt", "deny"]);
  const began = await place.json(["run", "go"]);
  const child = began.the("approval_requested").calls[0]?.session ?? "";
  // What was denied then is not now, and what was asked about then is allowed now.
  await rules(["later.txt", "allow"]);

  const check = async (session: string, tool: string, args: object, ...flags: string[]) => {
    const asked = ["policy", "check", "--session", session, tool, JSON.stringify(args), ...flags];
    const { code, stdout, stderr } = await place.run(asked);
    return { code, line: (code === 0 ? JSON.parse(stdout) : stderr) as PolicyCheckLine & { decision?: string } };
  };
  const decided = async (session: string, ...flags: string[]) => {
    const all = tried.map((file) => check(session, "write_file", { file_path: file, content: "new\n" }, ...flags));
    return (await Promise.all(all)).map(({ line }) => line.decision);
  };
  expect(await decided(child)).toEqual(["ask", "deny", "ask"]);
  expect(await decided(child, "--mode", "full-auto")).toEqual(["ask", "deny", "ask"]);
  expect(await decided(began.session)).toEqual(["ask", "ask", "allow"]);
  expect(await decided(began.session, "--mode", "full-auto")).toEqual(["allow", "allow", "allow"]);
  expect(await decided(child, "--mode", "read-only")).toEqual(["deny", "deny", "deny"]);
  const outside = await check(child, "shell", { command: "ls" });
  expect([outside.code, outside.line]).toEqual([
    2,
    expect.stringContaining('UNKNOWN_TOOL: "shell" is not available to writer'),
  ]);
  expect((await check(began.session, "shell", { command: "ls" })).code).toBe(0);
  expect((await check(child, "agent", { task: "more" })).line).toContain("not available to writer");

  const real: (string | undefined)[] = [];
  let ran = began;
  for (let left = 3; left > 0 && ran.code === 11; left -= 1) {
    real.push("ask");
    ran = await place.json(["resume", began.session, "--approve", "all", "--mode", "full-auto"]);
    for (const { parent, decision, by } of ran.of("decision"))
      if (parent !== undefined && by === "policy") real.push(decision);
  }
  expect(real).toEqual(["ask", "deny", "ask"]);
  const denied = (await check(child, "write_file", { file_path: "denied.txt", content: "new\n" })).line as {
    why: string;
  };
  expect(ran.code).toBe(10);
  expect(place.server.requests.map(({ body }) => JSON.stringify(body.messages)).join("\n")).toContain(denied.why);
});

it("policy check with a session that there is not is no answer for another one", async () => {
  const place = await openPlace();
  const asked = await place.run(["policy", "check", "--session", "no-such-1234", "ls", "{}"]);
  expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining("no-such-1234")]);
});

it("policy check with a session whose folder is gone says so, as resume does, and names another folder than -C", async () => {
  const place = await openPlace([says("Hello.")], { "else/a.txt": "a\n" });
  const { session } = await place.json(["run", "hi"]);
  const check = (...flags: string[]) => place.run(["policy", "check", "--session", session, "ls", "{}", ...flags]);
  expect(await check("-C", place.path("else"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`works in ${place.workspace}, not in ${place.path("else")}`),
  });
  expect((await check("-C", place.workspace)).code).toBe(0);
  await rm(place.workspace, { recursive: true });
  const away = { cwd: place.home };
  const resumed = await place.run(["resume", session], away);
  const checked = await place.run(["policy", "check", "--session", session, "ls", "{}"], away);
  expect([checked.code, checked.stderr]).toEqual([resumed.code, resumed.stderr]);
  expect(checked.stderr).toContain(`the workspace of session ${session} is gone`);
});

it("policy list with a session lists what holds where that is, a helper's too, from any folder, and says where its folder is gone", async () => {
  const answer: Answer = ({ body: { messages } }) =>
    messages.some(({ role }) => role === "assistant") ? says("Done.") : asks("agent", { task: "work" });
  const place = await openPlace(
    Array.from({ length: 4 }, () => answer),
    { "else/a.txt": "a\n" },
  );
  const deny = { tool: "write_file", paths: ["denied.txt"], decision: "deny" };
  await place.write(".holdfast/policy.json", JSON.stringify({ rules: [deny] }));
  const ran = await place.json(["run", "go"]);
  const helper = ran.events.find(({ parent }) => parent !== undefined)?.session ?? "";
  const list = (session: string, cwd: string, ...flags: string[]) =>
    place.run(["policy", "list", "--json", "--session", session, ...flags], { cwd });
  for (const session of [ran.session, helper]) {
    const listed = await list(session, place.home);
    expect([listed.code, JSON.parse(listed.stdout)], listed.stderr).toMatchObject([
      0,
      { decision: "deny", paths: ["denied.txt"], file: place.path(".holdfast/policy.json") },
    ]);
  }
  expect(await list(ran.session, place.home, "-C", place.path("else"))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`works in ${place.workspace}, not in ${place.path("else")}`),
  });
  await rm(place.workspace, { recursive: true });
  const resumed = await place.run(["resume", ran.session], { cwd: place.home });
  const gone = await list(ran.session, place.home);
  expect([gone.code, gone.stderr]).toEqual([resumed.code, resumed.stderr]);
  expect(gone.stderr).toContain(`the workspace of session ${ran.session} is gone`);
});
