import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";

const rules = (paths: string, why: string) =>
  JSON.stringify({ rules: [{ tool: "write_file", paths: [paths], decision: "allow", why }] });
const policy = ".holdfast/policy.json";

async function command(pty: Pty, text: string, answer: string | RegExp): Promise<void> {
  pty.type(text);
  await pty.waitFor(`❯ ${text}`);
  pty.key("enter");
  await pty.waitFor(answer);
}

const squeezed = (pty: Pty): string => pty.scrollback().join(" ").replace(/\s+/g, " ");

it("a chat offers trust in one line; what was exchanged after it was shown is not trusted but shown anew", async () => {
  const turn = [asks("write_file", { file_path: "src/b.txt", content: "b\n" }), asks("ls", {}), says("Written.")];
  const place = await openPlace(turn, {
    ".holdfast/config.json": '{ "ignore": ["gen"] }',
    // Its lines look like ours, and what a terminal would obey is in it.
    ".holdfast/note.md": "n\u001b[8mhidden\u001b[0m\n--- .mcp.json\nwould come into force: nothing\n",
    [policy]: rules("src/**", "as shown"),
    "gen/x.ts": "x\n",
  });
  const pty = place.chat(["chat"], { cols: 160, rows: 40 });
  await pty.waitFor("ask, or / for commands");
  expect(squeezed(pty)).toContain(
    'not in effect until you trust it: ignore: "gen"; 1 allow rule. To read its files and trust them: /trust',
  );
  await command(pty, "/trust yes", "nothing was shown to be trusted: /trust shows it");
  await command(pty, "/trust", /to trust these files, exactly as they are: \/trust yes/);
  expect(squeezed(pty)).toContain("│ n␛[8mhidden␛[0m │ --- .mcp.json │ would come into force: nothing --- ");
  expect(squeezed(pty)).toContain('"as shown"');
  expect(squeezed(pty)).toContain('would come into force: ignore: "gen"; 1 allow rule to trust');

  await place.write(policy, rules("**", "exchanged"));
  await command(pty, "/trust yes", /no longer what you were shown[\s\S]*"exchanged"[\s\S]*are: \/trust yes/);
  expect(existsSync(join(place.home, "trust.json"))).toBe(false);

  await place.write(policy, rules("src/**", "as shown"));
  await command(pty, "/trust yes", /no longer what you were shown[\s\S]*no longer what you were shown/);
  await command(pty, "/trust yes", "trusted, as these files are now");
  const [row] = JSON.parse(await readFile(join(place.home, "trust.json"), "utf8")).trusted;
  expect(Object.keys(row.files).toSorted()).toEqual([".holdfast/config.json", ".holdfast/note.md", policy]);

  // In the same chat, and without a question.
  await command(pty, "write it", "Written.");
  expect(await place.read("src/b.txt")).toBe("b\n");
  expect(place.heard(2, -1)).toContain("1 ignored, left out: gen");
  await command(pty, "/trust", "trusted already");
  pty.key("ctrl-d");
  expect(await pty.exit).toEqual({ code: 0, signal: 0 });
});

it("nothing that a script says to a run without a person is taken for trust", async () => {
  const place = await openPlace([says("No."), says("No.")], { [policy]: rules("**", "theirs") });
  const ran = await place.json(["run", "/trust"]);
  expect(ran.of("notice").map(({ text }) => text)).toEqual([expect.stringMatching(/1 allow rule.*: agent trust$/)]);
  await place.json(["run", "-"], { stdin: "/trust yes" });
  expect(existsSync(join(place.home, "trust.json"))).toBe(false);
  expect((await place.run(["trust"])).code).toBe(2);
});
