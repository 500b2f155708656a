import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import { expect, it, onTestFinished } from "vitest";
import { cells } from "../../src/cli/terminal/width.ts";
import * as chinese from "../../src/words/zh/index.ts";
import { openPlace, type Place } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { RawStore } from "../support/raw-store.ts";
import { readQuestion } from "../support/read-question.ts";

const { composer, dialog, policyReasons } = chinese;

/** Chinese, and what stands between it. */
const han = /[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]/u;

const onScreen = (pty: Pty): string => pty.screen().join("\n");

/** A screen without the blanks at which rows were broken. */
const joined = (pty: Pty): string =>
  pty
    .screen()
    .map((row) => row.trim())
    .join("");

/** To look at what was drawn: HOLDFAST_LOOK=FILE. */
function look(pty: Pty, what: string): void {
  const rows = pty.screen();
  expect(rows.filter((row) => cells(row) > pty.term.cols)).toEqual([]);
  const file = process.env["HOLDFAST_LOOK"];
  if (file !== undefined) appendFileSync(file, `\n=== ${what} ${pty.term.cols}x${pty.term.rows}\n${rows.join("\n")}\n`);
}

async function question(pty: Pty, wanted: string): Promise<void> {
  await pty.waitFor((one) => /❯ ?n/u.test(onScreen(one)) && onScreen(one).includes(wanted));
  await readQuestion();
}

const edit = (text: string) => asks("edit_file", { file_path: "a.txt", old_string: "one", new_string: text });

function place(): Promise<Place> {
  return openPlace(
    [
      edit("two"),
      edit("three"),
      says("Done."),
      asks("write_file", { file_path: ".github/workflows/ci.yml", content: "on: push\n" }),
      says("CI is there."),
    ],
    { "a.txt": "one\n" },
  );
}

const utf8 = { LANG: "zh_CN.UTF-8", LC_ALL: undefined, LC_MESSAGES: undefined };
const plainLocale = { LANG: "C.UTF-8", LC_ALL: undefined, LC_MESSAGES: undefined };

function inflated(bytes: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(bytes);
  } catch {
    return bytes;
  }
}

/** Packed bytes are unpacked; what is no text then is left out. */
function asText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf8", { fatal: true }).decode(inflated(bytes));
  } catch {
    return "";
  }
}

/** All that a store holds, as text. */
function stored(home: string): string {
  const store = new RawStore(join(home, "agent.db"));
  onTestFinished(() => store.close());
  const tables = store.column<string>("select name from sqlite_master where type = 'table'");
  return tables
    .flatMap((table) => store.all<object>(`select * from "${table}"`))
    .map((row) =>
      Object.values(row)
        .map((cell) => (cell instanceof Uint8Array ? asText(cell) : String(cell)))
        .join("\t"),
    )
    .join("\n");
}

it.each([
  [100, 30, ["--lang", "zh"], plainLocale],
  [60, 20, ["--lang=zh"], plainLocale],
  [42, 10, ["--lang", "zh"], plainLocale],
  [100, 30, [], utf8],
  [60, 20, [], utf8],
  [42, 10, [], utf8],
] as const)("a talk at %ix%i with %j is Chinese on the screen alone", async (cols, rows, flags, env) => {
  const at = await place();
  const pty = at.chat(["chat", ...flags, "edit it"], { cols, rows }, env);
  await question(pty, dialog.shortLabels.deny);
  look(pty, "asked");
  if (rows > 10) expect(joined(pty)).toContain(policyReasons.changes_file);
  pty.key("r");
  await pty.waitFor((one) => onScreen(one).includes(dialog.fieldHint));
  look(pty, "a reason is asked for");
  pty.type("use three");
  pty.key("enter");
  await question(pty, "three");
  pty.key("y");
  await pty.waitFor("Done.");
  expect(await at.read("a.txt")).toBe("three\n");
  expect(JSON.stringify(at.server.requests.at(1)?.body.messages)).toContain("denied by the person: use three");
  look(pty, "done");
  pty.type("and the CI\r");
  await question(pty, dialog.risks.high);
  look(pty, "a guarded file");
  pty.key("y");
  await pty.waitFor((one) => joined(one).includes(dialog.confirmHigh.trim()));
  look(pty, "the word is asked for");
  pty.type("yes\r");
  await pty.waitFor("CI is there.");
  expect(await at.read(".github/workflows/ci.yml")).toBe("on: push\n");
  pty.type("/help\r");
  await pty.waitFor((one) => one.scrollback().join("\n").includes("/permissions"));
  look(pty, "help");
  pty.leave();
  expect((await pty.exit).code).toBe(0);
  const id = /agent resume ([a-z]+-[a-z]+-[0-9a-f]{4})/u.exec(pty.scrollback().join("\n"))?.[1] ?? "";
  const again = at.chat(["resume", ...flags, id], { cols, rows }, env);
  await again.waitFor("CI is there.");
  await again.waitFor((one) => onScreen(one).includes(composer.hint.slice(0, 4)));
  look(again, "resumed");
  again.leave();
  expect((await again.exit).code).toBe(0);
  expect(stored(at.home)).not.toMatch(han);
  expect(at.server.requests.map(({ body }) => JSON.stringify(body)).join("\n")).not.toMatch(han);
});
