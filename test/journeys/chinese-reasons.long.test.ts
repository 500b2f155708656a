import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { cells } from "../../src/cli/terminal/width.ts";
import { reasonText } from "../../src/words/contract/policy-reasons.ts";
import { shellReaders } from "../../src/words/contract/shell-readers.ts";
import * as chinese from "../../src/words/zh/index.ts";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";
import { RawStore } from "../support/raw-store.ts";
import { readQuestion } from "../support/read-question.ts";

const env = { LANG: "zh_CN.UTF-8", LC_ALL: undefined, LC_MESSAGES: undefined };
const size = { cols: 60, rows: 20 };
const line = "cat a.txt > b.txt";

/** A screen without the blanks and the frame at which its rows were broken. */
const joined = (pty: Pty): string =>
  pty
    .screen()
    .map((row) => row.replace(/[│\s]/gu, ""))
    .join("");

const english = reasonText({ code: "of_risk", risk: "medium", because: shellReaders.into_file });
const told = chinese.policyReasons
  .of_risk({ risk: "medium", because: chinese.shellReaders.into_file })
  .replace(/\s/gu, "");

it("why a command is asked about stands in Chinese on a Chinese screen, and in English in the journal, in events and with --json", async () => {
  const at = await openPlace([asks("shell", { command: line }), says("Done.")], { "a.txt": "one\n" });
  const run = at.spawn(["run", "--json", "copy it"], { env });
  const { stdout } = await run.done;
  expect(stdout).toContain(`"why":"${english}"`);
  expect(stdout).not.toMatch(/[\u4e00-\u9fff]/u);
  const id = /"session":"([^"]+)"/u.exec(stdout)?.[1] ?? "";

  const pty = at.chat(["resume", id], size, env);
  await pty.waitFor((one) => joined(one).includes(told));
  expect(pty.screen().filter((row) => cells(row) > size.cols)).toEqual([]);
  expect(pty.screen().join("\n")).not.toContain(shellReaders.into_file.slice(0, 20));
  await readQuestion();
  pty.key("y");
  await pty.waitFor("Done.");
  expect(await at.read("b.txt")).toBe("one\n");
  pty.leave();
  expect((await pty.exit).code).toBe(0);

  const store = new RawStore(join(at.home, "agent.db"));
  onTestFinished(() => store.close());
  const rows = JSON.stringify(store.all<object>("select * from tool_call"));
  expect(rows).toContain(shellReaders.into_file);
  expect(rows).not.toMatch(/[\u4e00-\u9fff]/u);

  const check = ["policy", "check", "shell", JSON.stringify({ command: line })];
  const json = await at.spawn([...check, "--json"], { env }).done;
  expect(JSON.parse(json.stdout)).toMatchObject({ why: english });
  const shown = at.chat(check, size, env);
  await shown.exit;
  expect(joined(shown)).toContain(told);
});
