import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentCommand } from "../support/agent-command.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import { freely, itInSandbox } from "../support/needs.ts";

/** Where the settings lie by default, below a home that is the folder above the workspace; the workspace holds the person's dotfiles. */
async function dotfiles(
  files: Record<string, string>,
  links: Record<string, string>,
  answers: Parameters<typeof openPlace>[0] = [],
) {
  const place = await openPlace(answers, files);
  const home = dirname(place.workspace);
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    symlinkSync(target, join(home, path));
  }
  return { place, home, env: { AGENT_HOME: undefined } };
}

/** Decision and source of each call, in the mode given. */
async function judged(
  place: Place,
  mode: string,
  asked: [tool: string, args: object][],
  env: Record<string, undefined>,
) {
  const stdin = asked.map(([tool, args]) => JSON.stringify({ tool, args })).join("\n");
  const ran = await place.run(["policy", "check", "--stdin", "--mode", mode, "--json"], { stdin, env });
  expect(ran.stderr).toBe("");
  const lines = ran.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { decision: string; rule: { source: string } });
  return lines.map(({ decision, rule }) => `${decision} ${rule.source}`);
}

const uses = (file: string): [string, object][] => [
  ["write_file", { file_path: file, content: "{}" }],
  ["edit_file", { file_path: file, old_string: "a", new_string: "b" }],
  ["read_file", { file_path: file }],
  ["shell", { command: `sed -i s/deny/allow/ ${file}` }],
  ["shell", { command: `echo x > ${file}` }],
  ["shell", { command: `cp other.json ${file}` }],
];
const closed = uses("x").map(() => "deny sealed");

describe("settings that are kept elsewhere, as stow and others link them", () => {
  const layouts: [name: string, links: Record<string, string>, files: string[]][] = [
    [
      "a file at a time",
      {
        ".config/holdfast/policy.json": "../../work/holdfast/policy.json",
        ".config/holdfast/config.json": "../../work/holdfast/config.json",
      },
      ["holdfast/policy.json", "holdfast/config.json"],
    ],
    ["the whole folder", { ".config/holdfast": "../work/hf" }, ["hf/policy.json", "hf/config.json", "hf/new.json"]],
    ["all of .config", { ".config": "work/dot-config" }, ["dot-config/holdfast/policy.json", "dot-config/holdfast"]],
    [
      "a link to a link",
      { ".config/holdfast/policy.json": "../../work/now.json", "work/now.json": "deep/policy.json" },
      ["deep/policy.json", "now.json"],
    ],
    [
      "further files of the folder",
      { ".config/holdfast/CONTEXT.md": "../../work/memory.md", ".config/holdfast/tools/a.mjs": "../../../work/a.mjs" },
      ["memory.md", "a.mjs"],
    ],
  ];

  test.each(layouts)("are sealed by where they lie: %s", async (_, links, files) => {
    const { place, env, home } = await dotfiles({ "other.json": "{}", zshrc: "x\n" }, links);
    for (const file of files.filter((one) => /policy|config\.json/u.test(one) && one.endsWith(".json"))) {
      await place.write(file, file.includes("config.json") ? "{}" : '{"rules":[]}');
    }
    expect(home).toBe(dirname(place.workspace));
    for (const file of files)
      for (const mode of ["accept-edits", "full-auto"])
        expect([file, mode, await judged(place, mode, uses(file).slice(0, 6), env)]).toEqual([file, mode, closed]);
    const honest: [string, object][] = [["write_file", { file_path: "zshrc", content: "y\n" }]];
    expect(await judged(place, "accept-edits", honest, env)).toEqual(["allow mode"]);
  });

  test("are sealed by another name of the same file", async () => {
    const { place, env, home } = await dotfiles({ "a.txt": "x\n" }, {});
    mkdirSync(join(home, ".config/holdfast"), { recursive: true });
    const texts = { "policy.json": '{"rules":[]}', "config.json": "{}", "trust.json": '{"v":1,"trusted":[]}' };
    for (const name of ["policy.json", "config.json", "trust.json"] as const) {
      writeFileSync(join(home, ".config/holdfast", name), texts[name]);
      linkSync(join(home, ".config/holdfast", name), place.path(`my-${name}`));
      expect(await judged(place, "full-auto", uses(`my-${name}`), env)).toEqual(closed);
    }
    linkSync(place.path("a.txt"), place.path("b.txt"));
    const honest: [string, object][] = [["read_file", { file_path: "b.txt" }]];
    expect(await judged(place, "ask", honest, env)).toEqual(["allow table"]);
  });

  test("are guarded before they are linked at all", async () => {
    const { place, env } = await dotfiles({}, {});
    const file = "holdfast/.config/holdfast/policy.json";
    const [written] = await judged(place, "full-auto", [["write_file", { file_path: file, content: "{}" }]], env);
    expect(written).toBe("ask guarded");
  });
});

test("a session does not write settings that came to be linked while it ran", async () => {
  const write = (file_path: string) => asks("write_file", { file_path, content: "told" });
  const linkIt = () => {
    mkdirSync(join(home, ".config/holdfast"), { recursive: true });
    symlinkSync(place.path("hf/CONTEXT.md.mine"), join(home, ".config/holdfast/CONTEXT.md"));
    return write("hf/CONTEXT.md.mine");
  };
  const { place, env, home } = await dotfiles({}, {}, [write("hf/CONTEXT.md.mine"), linkIt, says("done")]);
  const ran = await place.run(["run", "go", "--mode", "accept-edits", "--json"], { env });
  const statuses = ran.stdout.match(/"status":"(?:success|cancelled|error)"/gu);
  expect(statuses).toEqual(['"status":"success"', '"status":"cancelled"']);
  expect(ran.stdout).toContain("is sealed: this program's own state");
});

const linkedPolicy = { ".config/holdfast/policy.json": "../../work/holdfast/policy.json" };
const writesIt = {
  "change.sh": "echo '{}' > holdfast/policy.json\n",
  "holdfast/policy.json": '{"rules":[]}',
  "holdfast/.gitignore": "*\n",
};

/** A script that was looked at and let run writes settings that lie in the workspace. */
async function scriptOver(flags: readonly string[]) {
  const answers = [asks("shell", { command: "bash change.sh" }), says("Done.")];
  const { place, env } = await dotfiles(writesIt, linkedPolicy, answers);
  const ran = await place.json(["run", "go", "--mode", "full-auto", ...flags], { env });
  return { ran, text: await place.read("holdfast/policy.json") };
}

itInSandbox(
  "a script in the sandbox that writes them is told of, or does not come so far (needs bubblewrap)",
  async () => {
    const { ran, text } = await scriptOver([]);
    if (text === '{"rules":[]}') return expect(ran.the("turn_ended").calls.success).toBe(0);
    expect(ran.end).toMatchObject({ reason: "awaiting_recovery", calls: { interrupted: 1 } });
  },
);

test("so is one without the sandbox", async () => {
  const { ran } = await scriptOver(["--sandbox", "off", ...freely]);
  expect(ran.end).toMatchObject({ reason: "awaiting_recovery", calls: { interrupted: 1 } });
});

/** A session waits; a script that another one runs answers it, stops it, takes it over. */
async function answered(flags: readonly string[]) {
  const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
  const acts = async () => {
    const { stdout } = await place.run(["sessions", "--json"]);
    const waiting = stdout.split("\n").find((line) => line.includes("awaiting_approval")) ?? "{}";
    const { id = "" } = JSON.parse(waiting) as { id?: string };
    const shown = (await place.run(["sessions", "show", id, "--calls"])).stdout;
    const call = `c1@${/digest ([0-9a-f]{64})/u.exec(shown)?.[1]}`;
    const agent = ["env", `HOME=${dirname(place.home)}`, `AGENT_HOME=${place.home}`, ...agentCommand].join(" ");
    const words = [`answer ${id} --approve ${call}`, `stop ${id}`, `resume ${id} --take-over --approve ${call}`];
    await place.write("answer.sh", `${words.map((word) => `${agent} ${word}\n`).join("")}true\n`);
    return asks("shell", { command: "bash answer.sh" });
  };
  const place = await openPlace([edit, acts, says("Done.")], { "a.txt": "one\n" });
  expect((await place.json(["run", "edit"])).code).toBe(11);
  const ran = await place.json(["run", "go", "--mode", "full-auto", ...flags]);
  return { ran, text: await place.read("a.txt"), list: (await place.run(["sessions", "--json"])).stdout };
}

itInSandbox("a command in the sandbox answers no question of a person (needs bubblewrap)", async () => {
  const { ran, text, list } = await answered([]);
  expect(ran.of("tool_call").map(({ call }) => call.status)).toContain("success");
  expect([text, list]).toEqual(["one\n", expect.stringContaining("awaiting_approval")]);
});

test("one in full-auto without the sandbox can, as docs/shell.md says", async () => {
  expect((await answered(["--sandbox", "off"])).text).toBe("two\n");
});
