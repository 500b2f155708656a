import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { readQuestion } from "../support/read-question.ts";

const own = `// mine
{
  "rules": [
    // never this
    { "tool": "shell", "command": "git push *", "decision": "deny" }, // for now
  ],
}
`;

it("three equal answers at the question become a rule that the person writes, and the fourth is not asked (needs bubblewrap)", async () => {
  const make = asks("shell", { command: "touch made" });
  const place = await openPlace([make, make, make, says("Made."), make, says("Made by rule."), make, says("Again.")]);
  const file = join(place.home, "policy.json");
  await writeFile(file, own);
  const pty = place.chat(["chat", "make it three times"]);
  for (let time = 1; time <= 3; time++) {
    await pty.waitFor((one) => place.server.requests.length === time && one.screen().join("\n").includes("❯ n"));
    await readQuestion();
    pty.key("y");
  }
  await pty.waitFor("/suggest shows a rule for it (allow shell: touch made)");
  pty.type("/suggest");
  pty.key("enter");
  await pty.waitFor("y writes it · esc leaves it");
  expect(pty.screen()).toContain(`+++ b${file}`);
  expect(pty.screen()).toContain('+      "command": "touch made",');
  expect(await readFile(file, "utf8")).toBe(own);
  await pty.resized(60, 12);
  await readQuestion();
  pty.key("y");
  await pty.waitFor("not on the screen yet: lines ");
  // A page that was not drawn was not seen.
  for (let foot = pty.screen().join("\n"), before = ""; foot !== before; ) {
    before = foot;
    pty.key("pagedown");
    await readQuestion();
    foot = pty.screen().join("\n");
  }
  await readQuestion();
  pty.key("y");
  await pty.waitFor("it counts from the next call on");
  await pty.resized(100, 30);
  const byChat = await readFile(file, "utf8");
  pty.type("and once more");
  pty.key("enter");
  await pty.waitFor("Made by rule.");
  pty.leave();
  await pty.exit;
  expect((await place.run(["policy", "suggest"])).stdout).toContain("nothing to suggest");
  // Without the rule it is suggested again, and outside the chat too.
  await writeFile(file, own);

  const listed = await place.run(["policy", "suggest"]);
  expect(listed.stdout).toContain("1  allow shell: touch made\n   you said yes 3 times");
  const { stdout } = await place.run(["policy", "suggest", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    number: 1,
    rule: {
      tool: "shell",
      command: "touch made",
      workspace: place.workspace,
      cwd: ".",
      sandbox: true,
      match: ["touch made"],
    },
    answered: [{ callId: "c1" }, { callId: "c2" }, { callId: "c3" }],
    decided: 3,
    also: [{ callId: "c4", asked: false }],
  });
  expect((await place.run(["policy", "suggest", "--since", "2020-01-01"])).stdout).toContain("touch made");
  expect((await place.run(["policy", "suggest", "--since", "0m"])).stdout).toContain("nothing to suggest");
  for (const [argv, why] of [
    [["--write", "2"], "takes the number of a suggestion"],
    [["--since", "soon"], "--since takes a time back"],
    [["--write", "1"], "asks at a terminal"],
  ] as const) {
    const refused = await place.run(["policy", "suggest", ...argv]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(why)]);
  }
  expect(await readFile(file, "utf8")).toBe(own);

  const write = async (answer: string): Promise<number> => {
    const asked = place.prints(["policy", "suggest", "--write", "1"]);
    await asked.waitFor("Write this rule?");
    asked.type(`${answer}\r`);
    return (await asked.exit).code;
  };
  expect([await write("n"), await readFile(file, "utf8")]).toEqual([1, own]);
  expect(await write("y")).toBe(0);
  const written = await readFile(file, "utf8");
  expect(written).toBe(byChat);
  for (const mine of ["// mine\n", "    // never this\n", '"git push *", "decision": "deny" }', "// for now"])
    expect(written).toContain(mine);
  expect(written).toContain('"command": "touch made"');
  expect((await place.run(["policy", "suggest"])).stdout).toContain("nothing to suggest");
  const fourth = await place.json(["run", "once more"]);
  expect([fourth.code, fourth.the("decision")]).toMatchObject([0, { decision: "allow", by: "policy" }]);
});
