import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import { nameBlanks, sanitise } from "../../../src/cli/terminal/sanitise.ts";
import { plainField } from "../../../src/cli/ui/dialog/edit-arguments.ts";
import { cleanLine, cleanPath, subjectOf, visibleJson } from "../../../src/cli/ui/safe-text.ts";

it("shows a name whole: of an escape sequence in it nothing vanishes, for it would be in the file's name", () => {
  expect(subjectOf({ file_path: "a.txt\u001b[0m" }).text).toBe("a.txt␛[0m");
  expect(cleanLine("weird \u001b[31mname\u202e.txt")).toBe("weird ␛[31mname‹U+202E›.txt");
});

it.each([
  ["/w/src/a.ts", "src/a.ts"],
  ["/w/../etc/passwd", "../etc/passwd"],
  ["/w//etc/passwd", "/w//etc/passwd"],
  ["/w/", "/w/"],
  ["/www/a.ts", "/www/a.ts"],
  ["src/a.ts", "src/a.ts"],
  ["/w/~/.ssh/config", "/w/~/.ssh/config"],
  ["/w/~", "/w/~"],
  ["/w/~ada/x", "~ada/x"],
  ["/w/a/~/x", "a/~/x"],
  ["/w/call:c3", "/w/call:c3"],
  ["/w/call:c3/x", "call:c3/x"],
  ["/w/https:/host/x", "/w/https:/host/x"],
  ["/w/C:/x", "/w/C:/x"],
  ["/w/ src", "/w/ src"],
  ["/w/src\u3000", '"/w/src\u3000"'],
  [" src", '" src"'],
  ["src ", '"src "'],
  ["\u00a0src", '"\u00a0src"'],
])("shows the path %j in the workspace /w as %j, and says nothing else by it than what it is", (path, shown) => {
  const workspace = "/w";
  for (const toolName of ["read_file", "write_file", "edit_file"])
    expect(subjectOf({ file_path: path }, { toolName, workspace })).toEqual({ text: shown, isPath: true });
  for (const toolName of ["ls", "grep", "glob"])
    expect(subjectOf({ path }, { toolName, workspace })).toEqual({ text: shown, isPath: true });
  const asWritten = { text: cleanPath(path), isPath: true };
  for (const toolName of ["mcp__files__read", "my_tool", undefined])
    for (const args of [{ path }, { file_path: path }])
      expect(subjectOf(args, { toolName, workspace })).toEqual(asWritten);
  expect(subjectOf({ path }, { toolName: "ls", workspace: "" })).toEqual(asWritten);
  expect(subjectOf({ path }, { toolName: "ls" })).toEqual(asWritten);
  expect(subjectOf({ command: path }, { toolName: "ls", workspace })).toEqual({ text: path.trim(), isPath: false });
});

it.each([
  [{ path: "", command: "make all" }, "make all"],
  [{ path: null, url: "https://h/x" }, "https://h/x"],
  [{ path: "a", plan: "# Mend it" }, "Mend it"],
  [{ path: " a", pattern: "x" }, 'x in " a"'],
])("takes for a path only what is shown as one: not %j", (args, text) => {
  expect(subjectOf(args, { toolName: "other", workspace: "/w" })).toEqual({ text, isPath: false });
});

it("makes one row of a text of several lines", () => {
  expect(cleanLine("one\r\n  two\nthree\n")).toBe("one two three");
});

/** Each sign there is below the planes of pictures, and those that nobody sees beyond, alone and between letters. */
const signs = [
  ...Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point)),
  ...[0x1bca0, 0x1d173, 0x1d17a, 0xe0001, 0xe0041, 0xe01ef, 0x1f600].map((point) => String.fromCodePoint(point)),
  "e" + "\u0301".repeat(40),
  "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u2714\ufe0f",
  "a\r\nb\tc\u001b[31m",
];

it("writes JSON in which nothing is left that is not seen as what it is, and which is the same value", () => {
  const wrong = signs.filter((sign) => {
    const value = { [`a${sign}`]: [sign, `x${sign}y${sign}`], plain: { deep: [1, null, true, "é 漢字"] } };
    const json = visibleJson(value);
    const drawn = nameBlanks(sanitise(json, { keepNewlines: true, tabWidth: 0 }));
    return drawn !== json || !isDeepStrictEqual(JSON.parse(json), value);
  });
  expect(wrong).toEqual([]);
  const all = signs.join("");
  expect(JSON.parse(visibleJson(all))).toBe(all);
});

it.each([0x3164, 0x2800, 0x034f, 0x115f, 0xffa0, 0x1d173, 0x00a0, 0x2003, 0x180b, 0x17b4, 0xd800, 0xfff0])(
  "names the sign %i in JSON",
  (point) => {
    const sign = String.fromCodePoint(point);
    expect(visibleJson(sign)).not.toContain(sign);
    expect(visibleJson("é 漢字 \u{1f600}")).toBe('"é 漢字 \u{1f600}"');
  },
);

it("gives a command with a sign that is not seen as what it is to be edited as JSON; prose may have blanks of its own", () => {
  const of = (toolName: string, args: Record<string, string>) => plainField({ toolName, arguments: args });
  expect(of("shell", { command: "rm a\u00a0b" })).toBeUndefined();
  expect(of("shell", { command: "rm a\u3164b" })).toBeUndefined();
  expect(of("shell", { command: "rm a b" })?.text).toBe("rm a b");
  expect(of("write_file", { file_path: "a", content: "x\u3164" })).toBeUndefined();
  expect(of("write_file", { file_path: "a", content: "Ça va\u00a0? 全角\u3000空白" })?.text).toContain("\u3000");
});
