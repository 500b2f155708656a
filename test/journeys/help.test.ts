import { expect, it, test } from "vitest";
import { openPlace } from "../support/cli.ts";
import { says } from "../support/model-server.ts";

const optionsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = ""]) => flag);

it("lists a command's own options, and examples that begin with it", async () => {
  const place = await openPlace();
  const help = async (...words: string[]) => (await place.run([...words, "--help"])).stdout;
  expect(optionsIn(await help("sessions", "rm"))).toEqual(["--force", "--help"]);
  expect(optionsIn(await help("sessions", "show"))).toEqual(["--json", "--utc", "--calls", "--diff", "--help"]);
  expect(optionsIn(await help("tools"))).toEqual(["--cwd", "--json", "--help"]);
  expect(optionsIn(await help("run"))).toContain("--tool-choice");
  expect(await help("sessions", "rm")).toContain("  agent sessions rm brisk-otter");
  expect(await help("policy", "check")).toContain("where stdout is no terminal, as a line of JSON");
  // What scripts give to any command is taken all the same.
  expect(await place.run(["tools", "--mode", "read-only", "--json"])).toMatchObject({ code: 0 });
});

test.each([
  [["run", "a", "b"], 'too many arguments for agent run: "b" is left over', 'put the prompt in quotes: agent run "…"'],
  [["tools", "x"], 'there is no tool "x"', "agent tools lists them"],
  [["tools", "x", "y"], 'there is no command "y" in agent tools', "it has new"],
  [["sessions", "serch"], 'there is no command "serch" in agent sessions', "it has list, "],
  [["sessions", "show"], "missing required argument 'id'", "(agent sessions show --help says how it is used)"],
  [["policy", "chek"], "unknown command 'chek'", "Did you mean check?"],
])("%j says what is wrong and what to do", async (argv, problem, hint) => {
  const ran = await (await openPlace()).run(argv);
  expect(ran).toMatchObject({ code: 2, stdout: "" });
  expect(ran.stderr).toContain(problem);
  expect(ran.stderr).toContain(hint);
});

test.each([[["--help"]], [["sessions", "--help"]]])("breaks no word on a small terminal: %j", async (argv) => {
  const place = await openPlace();
  const pty = place.chat(argv, { cols: 60, rows: 60 });
  expect((await pty.exit).code).toBe(0);
  const words = (text: string) => new Set(text.split(/\s+/));
  const known = words((await place.run(argv)).stdout);
  expect([...words(pty.screen().join("\n"))].filter((word) => !known.has(word))).toEqual([]);
});

it("takes -p for run and -r for resume, as people know them", async () => {
  const place = await openPlace([says("One."), says("Two."), says("Three.")]);
  expect(await place.run(["-p", "first"])).toMatchObject({ code: 0, stdout: "One.\n" });
  expect(await place.run(["-r", "-p", "second"])).toMatchObject({ code: 0, stdout: "Two.\n" });
  const { id } = JSON.parse((await place.run(["-C", place.workspace, "sessions", "--json"])).stdout) as { id: string };
  expect(await place.run(["-r", id, "third"])).toMatchObject({ code: 0, stdout: "Three.\n" });
  expect(place.server.requests.at(-1)?.body.messages.map(({ content }) => content)).toContain("second");
});

it("begins a chat at a terminal, and says how it is used elsewhere", async () => {
  const place = await openPlace();
  const elsewhere = await place.run([]);
  expect(elsewhere).toMatchObject({ code: 2, stdout: "" });
  expect(elsewhere.stderr).toContain("Usage: agent");
  const pty = place.chat([]);
  await pty.waitFor("❯");
  pty.key("ctrl-d");
  expect((await pty.exit).code).toBe(0);
});
