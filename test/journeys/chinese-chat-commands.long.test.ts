import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openPlace } from "../support/cli.ts";
import { asks, says } from "../support/model-server.ts";
import type { Pty } from "../support/pty.ts";

/** Three words of English in a row, with what is typed and what stands in quotes taken out. */
const sentence = /[A-Za-z']{2,},? [a-z']{2,},? [a-z']{2,}/u;
const own = (row: string): string =>
  row.replace(/(?<![a-z])(?:agent|npm|node)(?: [^\s，。：；、]+)*|["“`][^"”`]*["”`]|\/\S+/gu, "");

/** Waits until the screen shows more than before, and stays as it is. */
async function settled(pty: Pty, before: string): Promise<string> {
  const now = (): string => pty.scrollback().join("\n");
  await pty.waitFor(() => now() !== before);
  for (let last = ""; last !== now(); await sleep(400)) last = now();
  return now();
}

it("what a chat's commands answer is Chinese on a Chinese screen, also when its session is left", async () => {
  const place = await openPlace(
    [
      asks("goal", { action: "add", text: "ziel" }),
      asks("shell", { command: "sleep 100", description: "warten", background: true }),
      asks("agent", { task: "lies" }),
      says("Gelesen."),
      says("Fertig."),
    ],
    { "a.txt": "one\n", "AGENTS.md": "Kurz.\n" },
  );
  const env = { LANG: "zh_CN.UTF-8", LC_ALL: undefined, LC_MESSAGES: undefined };
  const pty = place.chat(["chat", "--allow", "shell(sleep *)", "los"], { cols: 100, rows: 30 }, env);
  await pty.waitFor("Fertig.");
  for (const command of ["/status", "/context", "/tools", "/goals", "/suggest", "/trust", "/undo zz"]) {
    const before = pty.scrollback().join("\n");
    pty.type(`${command}\r`);
    await settled(pty, before);
  }
  const before = pty.scrollback().join("\n");
  pty.type("/fork\r");
  const all = await settled(pty, before);
  expect(all.split("\n").filter((row) => sentence.test(own(row)))).toEqual([]);
  // What a helper came to, the job that was left, where the parts of a context come from, what a tool is for.
  for (const said of ["完成，1 步", "已随会话结束", "AGENTS.md，6 字节", "用 bash 运行命令"])
    expect(all).toContain(said);
  const names = all.split("\n").filter((row) => /^ +(?:模型|模式|token|子代理|文件夹) {2,}/u.test(row));
  expect(names.length).toBeGreaterThan(3);
  pty.leave();
  await pty.exit;
});
