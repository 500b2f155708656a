import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";

const edit = asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: "two" });
const deny = ["policy", "check", "write_file", '{"file_path":".env","content":"x"}'];
const wrong = ["policy", "check", "nope", "{}"];

/** What programs read, each of a store that is left as it was. */
const commands: readonly (readonly string[])[] = [
  deny,
  [...deny, "--json"],
  wrong,
  ["policy", "check", "shell", '{"command":"rm -rf /; ls | sh"}'],
  ["sessions", "--json", "--all"],
  ["tools", "--json"],
  ["stats", "--json"],
  ["policy", "list", "--json"],
  ["trust", "--json"],
  ["memories", "--json"],
  ["agents", "--json"],
  ["skills", "--json"],
  ["mcp", "list", "--json"],
  ["artifacts", "list", "--json"],
  ["secrets", "list", "--json"],
  ["doctor", "--json"],
  ["blame", "a.txt", "--json"],
  ["run", "--json", "--session", "no-such-session", "hello"],
];

it("what programs read is the same, byte for byte, whatever language the person has", async () => {
  const place = await openPlace([edit, says("Done."), edit], { "a.txt": "one\n" });
  const begun = await place.json(["run", "edit it"]);
  const id = begun.session;
  const of = async (argv: readonly string[], LANG: string) => {
    const { code, stdout, stderr } = await place.spawn([...argv], { env: { LANG } }).done;
    return {
      argv,
      code,
      stdout: withoutTimes(stdout),
      ...(argv.includes("--json") ? { stderr: withoutTimes(stderr) } : {}),
    };
  };
  const more = [
    ["sessions", "show", id, "--json"],
    ["sessions", "show", id, "--calls", "--json"],
    ["sessions", "verify", id, "--json"],
    ["sessions", "search", "edit", "--json"],
    ["sessions", "export", id, "--format", "json"],
    ["log", "--json"],
  ];
  for (const argv of [...commands, ...more]) {
    const english = await of(argv, "C.UTF-8");
    expect(await of(argv, "zh_CN.UTF-8")).toEqual(english);
  }
});

/** When a line was written, and how long something took, is each run's own. */
const withoutTimes = (text: string): string =>
  text.replace(/"at":"[^"]*"/gu, '"at":""').replace(/\b\d+(?:\.\d+)? ?(?:ms|s|kB|MB)\b/gu, "N");
