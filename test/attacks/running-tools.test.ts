import { expect, test } from "vitest";
import { asks, says } from "../support/model-server.ts";
import { placeWithTools, toolProcesses } from "../support/tool-files.ts";

/** What `onPartial` does, by the name of its tool; and whether the instance that ran had seen the arguments. */
const bodies: Record<string, [body: string, seen: boolean]> = {
  exits: ["process.exit(0);", false],
  kills: ['process.kill(process.pid, "SIGKILL");', false],
  loops: ["while (true) {}", false],
  leaves: ['process.chdir("/");', true],
  prints: [`process.stdout.write("x".repeat(2e7)); console.log('{"v":1}'); console.error("\\x1b[2J");`, true],
  throws: ['throw new Error("no\\x1b[2J view");', true],
  rejects: ["return Promise.reject(undefined);", true],
  junk: ["for (const one of [undefined, 7, { tip: 5n, text: [] }, { figure: NaN }]) ctx.progress(one);", true],
  floods: [
    `for (let n = 0; n < 2e4; n += 1) ctx.progress({ tip: "tip " + n }); ctx.progress({ text: "y".repeat(2e7) });`,
    true,
  ],
};

const file = `import { z } from "holdfast";
const bodies = ${JSON.stringify(Object.fromEntries(Object.entries(bodies).map(([name, [body]]) => [name, body])))};
export default Object.entries(bodies).map(([name, body]) => () => {
  let seen = false;
  return {
    name, description: name, args: z.object({ to: z.string() }), effect: "none", risk: "low",
    onPartial(given, ctx) { seen = true; return new Function("given", "ctx", "process", body)(given, ctx, process); },
    execute: ({ to }, ctx) => (name === "floods" && new Function("ctx", body)(ctx), to) + " " + seen + " " + (process.cwd() === ctx.cwd),
  };
});
`;

test("a tool that behaves badly at arguments that are coming costs neither its call nor the turn, and leaves no process", async () => {
  const names = Object.keys(bodies);
  const place = await placeWithTools({ "bad.mjs": file }, [
    ...names.map((name) => asks(name, { to: name })),
    says("Done."),
  ]);
  const ran = await place.json(["run", "go"]);
  expect([ran.code, ran.end.text]).toEqual([0, "Done."]);
  const outputs = ran.of("tool_call").flatMap(({ call }) => ("result" in call ? [call.result?.output] : []));
  expect(outputs).toEqual(names.map((name) => `${name} ${bodies[name]?.[1]} true`));
  const failed = ran.of("notice").map(({ code, text }) => [code, text.split(" ")[2], /: (.*);/.exec(text)?.[1]]);
  expect(failed).toEqual([
    ["partial_failed", "exits", "the process of the tool ended: it ended by itself (exit code 0)"],
    ["partial_failed", "kills", "the process of the tool ended: it ended by itself (ended by SIGKILL)"],
    ["partial_failed", "loops", "the process of the tool ended: it did not answer within 2 s"],
    ["partial_failed", "throws", "no\u001b[2J view"],
    ["partial_failed", "rejects", "undefined"],
  ]);
  const told = ran.of("tool_progress").filter(({ tip, text }) => tip !== undefined || text !== undefined);
  expect(told.length).toBeLessThan(20);
  const lastAt = (at: string) => told.findLast(({ phase }) => phase === at);
  expect(lastAt("arguments")).toMatchObject({ callId: "c9", text: "y".repeat(4_000) });
  expect(lastAt("running")).toMatchObject({ callId: "c9", tip: "tip 19999" });
  expect(toolProcesses(place.workspace)).toEqual([]);
  expect(ran.stdout).not.toContain("\u001b");
});
