import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { shownText } from "../../src/cli/print/plain-printer.ts";
import { eventAgain } from "../../src/cli/print/standing-words.ts";
import { loadConfig } from "../../src/cli/settings/config.ts";
import { entriesOf } from "../../src/cli/terminal/diff-entries.ts";
import { emptyBuffer, insertPaste } from "../../src/cli/terminal/text-buffer.ts";
import { expandPastes } from "../../src/cli/terminal/text-units.ts";
import { labelBook } from "../../src/cli/tool-labels.ts";
import { nameOf } from "../../src/cli/ui/view/labels.ts";
import type { DiffNote } from "../../src/core/tool.ts";
import type { NamedDiff } from "../../src/files/diff/diff-text.ts";
import { parseAllowFlags } from "../../src/policy/files/rules.ts";
import { createDefaultTools } from "../../src/tools/create-default-tools.ts";
import { speak } from "../../src/words/room.ts";
import { commandAgain, failureAgain } from "../../src/words/said-again.ts";
import * as chinese from "../../src/words/zh/index.ts";

const notes: DiffNote[] = [
  { kind: "bom", now: true },
  { kind: "eol", from: "mixed", to: "lf" },
  { kind: "rewritten" },
  { kind: "binary", before: 7 },
];
const change: NamedDiff = { name: "a.txt", kind: "modify", added: 1, removed: 2, hunks: [], notes };
const notesShown = () => entriesOf([change], false).map(({ text }) => text);

const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
const pastes = () => insertPaste(insertPaste(emptyBuffer(), lines), "x".repeat(5_000));

const event = "approved · asked by policy, rule user:/home/a b/policy.json:3 · sha 0123";

const patternProblem = async (rule: string): Promise<string> => {
  const read = await parseAllowFlags([rule], "--allow");
  return "problems" in read ? read.problems.map(({ message }) => message).join("\n") : "";
};

describe("on a Chinese screen", () => {
  beforeEach(() => speak(chinese));
  afterEach(() => speak(undefined));

  it("what stands in a change beside its lines is Chinese", () =>
    expect(notesShown()).toEqual([
      "\\ 添加字节序标记",
      "\\ 换行：混合 -> LF",
      "\\ 文件重写：-2 +1 行",
      "\\ 不显示：旧内容不是文本，7 字节",
    ]));

  it("what stands for a long paste is Chinese, and is the paste as ever", () => {
    expect(pastes().text).toBe("[粘贴 40 行][粘贴 5,000 字符 #2]");
    expect(expandPastes(pastes())).toBe(lines + "x".repeat(5_000));
  });

  it("who decided of a call, and by what, is Chinese", () => {
    expect(eventAgain(event)).toBe("已批准 · 由策略询问，你的规则:/home/a b/policy.json:3 · 摘要码 0123");
    expect(eventAgain("started, attempt 1 · allowed by person")).toBe("开始，第 1 次 · 由人允许");
  });

  it("what the record has the person say where they take something back is Chinese, and what they wrote is not", () => {
    const files = "c1: edit a.txt (+1 -1); fox:c2: write b.txt (+1 -0)";
    const undo = `(undo) Take back calls ${files}; c3: run a; b; c4: call read of the MCP server files`;
    expect(commandAgain(undo)).toBe(
      "(undo) 撤销调用 c1: 编辑 a.txt (+1 -1); fox:c2: 写入 b.txt (+1 -0); c3: 运行 a; b; c4: 调用 MCP 服务器 files 的 read",
    );
    expect(commandAgain("(undo) Take back call c4: a change")).toBe("(undo) 撤销调用 c4: 一处改动");
    for (const own of ["Take back call c1: edit a.txt (+1 -1)", "c1: edit a.txt (+1 -1)", "(undo) that"])
      expect(commandAgain(own)).toBe(own);
  });

  it("the files that come with a result are named in Chinese", () => {
    const files = Array.from({ length: 22 }, (_, at) => `f${at}.txt`);
    const shown = shownText({
      status: "success",
      toolName: "own",
      result: { output: "", attachments: files },
    } as never);
    expect(shown.split("\n").slice(18)).toEqual(["附件：f18.txt", "附件：f19.txt", "另附 2 个文件"]);
  });

  it("what a server's answer could not give is told below its own words, which stay", () => {
    const failed = "the server refused: no such file\n(it is a file)\n(a part of the answer is left out: video)";
    expect(failureAgain("mcp__files__read", failed)).toBe(
      "服务器拒绝了：no such file\n(it is a file)\n（略去应答的一部分：video）",
    );
    expect(failureAgain("own", failed)).toContain("(a part of the answer is left out: video)");
  });

  it("what is wrong with a pattern of commands is Chinese", async () => {
    expect(await patternProblem("shell(*)")).toContain("单独的 '*' 会表示所有命令");
    expect(await patternProblem("shell(a; b)")).toContain("模式是一条简单命令");
  });

  it("what is wrong with a setting is Chinese, as far as it is a sentence of the program", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "settings-")), "config.json");
    await writeFile(file, JSON.stringify({ shellEnv: ["a b", "BASH_FUNC_x"] }));
    const problem = await loadConfig(file).catch((error: unknown) => String(error));
    await rm(dirname(file), { recursive: true });
    expect(problem).toContain('"a b"：不是变量名');
    expect(problem).toContain('"BASH_FUNC_x"：它会使 shell');
  });
});

it("all of that is in English as it was", async () => {
  expect(notesShown()).toEqual([
    "\\ byte order mark added",
    "\\ line endings: mixed -> LF",
    "\\ file rewritten: -2 +1 lines",
    "\\ not shown: the old content is not text, 7 bytes",
  ]);
  expect(pastes().text).toBe("[pasted 40 lines][pasted 5,000 characters #2]");
  expect(eventAgain(event)).toBe(event);
  expect(await patternProblem("shell(*)")).toContain("'*' alone would mean every command");
});

it("an undo is called so in Chinese, and by its tool's name in English", async () => {
  const named = async (lang: "en" | "zh"): Promise<string> => {
    const book = labelBook(lang);
    await book.note("/w", { tools: createDefaultTools({ workspace: "/w" }), taken: [] });
    return nameOf(book.of("/w"), "undo_changes");
  };
  expect([await named("zh"), await named("en")]).toEqual(["撤销", "undo_changes"]);
});
