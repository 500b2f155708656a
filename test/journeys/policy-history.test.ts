import { describe, expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const shell = (command: string) => asks("shell", { command });

describe("agent policy check", () => {
  it("judges each part of a command line, and says whether all of it is understood", async () => {
    const place = await openPlace([], { "a.txt": "a\n" });
    const { stdout } = await place.run(["policy", "check", "shell", '{"command":"cd sub && cat a.txt | eval $x"}']);
    expect(JSON.parse(stdout)).toMatchObject({
      tool: "shell",
      decision: "ask",
      understood: false,
      parts: [
        { command: "cd sub", argv: ["cd", "sub"], decision: "allow", risk: "low", rule: { source: "table" } },
        { command: "cat a.txt", argv: ["cat", "a.txt"], decision: "allow" },
        { command: "eval $x", argv: ["eval", null], decision: "ask" },
      ],
    });
  });

  it("tells with --history which recorded calls a rule would have allowed, asked about or denied", async () => {
    const place = await openPlace([shell("make all"), shell("ls"), says("Seen.")]);
    const first = await place.json(["run", "make it"]);
    expect(first.code).toBe(11);
    await place.json(["run", "look"]);
    const history = async (rule: string) => {
      const { stdout } = await place.run(["policy", "check", "--history", rule, "--json"]);
      const lines = stdout.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as { decision: string; summary: string; session: string });
    };
    expect(await history("shell(make *)")).toMatchObject([
      { session: first.session, decision: "allow", summary: "run make all", status: "awaiting_approval" },
    ]);
    expect(await history('{"tool":"shell","command":"ls *","decision":"deny"}')).toMatchObject([
      { decision: "deny", summary: "run ls", status: "success" },
    ]);
    expect(await history("shell(npm test)")).toEqual([]);
    const wrong = await place.run(["policy", "check", "--history", "shell"]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("every command of shell")]);
  });
});
