import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { failureOf } from "../../../../src/model/failures.ts";
import { storeFailure } from "../../../../src/store/sqlite/failures.ts";
import { shellRuns } from "../../../../src/words/contract/shell-runs.ts";
import { speak } from "../../../../src/words/room.ts";
import { displayAgain, purposeAgain, saidAgain, titleAgain } from "../../../../src/words/said-again.ts";
import * as chinese from "../../../../src/words/zh/index.ts";

const { thrown, titles } = chinese;

const src = new URL("../../../../src/", import.meta.url);

/** All that stands in literals of the program but those of another language. */
const literals = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((path) => /[.]tsx?$/u.test(path) && !path.startsWith("words/zh/"))
  .map((path) => literalsOf(readFileSync(new URL(path, src), "utf8"), path))
  .join("\n");

function literalsOf(source: string, name: string): string {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
      found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true));
  return found.join("\n");
}

const partsOf = (template: string): { texts: string[]; names: string[] } => {
  const parts = template.split(/\{(\w+)\}/u);
  return { texts: parts.filter((_, at) => at % 2 === 0), names: parts.filter((_, at) => at % 2 === 1) };
};

/** A sentence may be put together in the program, of so many literals behind each other. */
const mostRuns = 4;

/** Of how many literals a text is made, each as long as can be; Infinity where a word of it is in none. */
function runsIn(text: string): number {
  let [words, runs] = [text.split(" "), 0];
  while (words.length > 0) {
    let length = words.length;
    while (length > 0 && !literals.includes(words.slice(0, length).join(" "))) length -= 1;
    if (length === 0) return Number.POSITIVE_INFINITY;
    [words, runs] = [words.slice(length), runs + 1];
  }
  return runs;
}

const tables = [["thrown", thrown], ...Object.entries(titles)] as const;

describe.each(tables)("the sentences of %s", (_, table) => {
  it("stand in the program as the table has them", () => {
    const gone = Object.keys(table).filter((english) => {
      const words = partsOf(english).texts.flatMap((text) => text.split(/[\n;:.,()]+/u));
      return words.some((text) => /[a-z]{3}/u.test(text) && runsIn(text.trim()) > mostRuns);
    });
    expect(gone).toEqual([]);
  });

  it("have the same data in the other language", () => {
    const names = (template: string) => [...new Set(partsOf(template).names)].sort();
    const same = (name: string) => name === "same";
    const lost = Object.entries(table).filter(
      ([english, other]) =>
        names(english)
          .filter((name) => !same(name))
          .join() !==
        names(other)
          .filter((name) => !same(name))
          .join(),
    );
    expect(lost).toEqual([]);
  });
});

describe("what is thrown", () => {
  beforeEach(() => speak(chinese));
  afterEach(() => speak(undefined));

  const endpoint = { baseUrl: "http://127.0.0.1:1/v1", model: "m" };
  const refused = failureOf({ status: 401, message: "bad key", cause: undefined }, endpoint) as Error & {
    hint: string;
  };
  const full = storeFailure("full", "/h/agent.db", "SQLITE_FULL");
  test.each<[string, string]>([
    ["a b.txt does not exist", "a b.txt 不存在"],
    ["x.txt does not exist. Did you mean y.txt?", "x.txt 不存在。是不是想用 y.txt？"],
    [
      '"../x" is not inside the workspace: it leads outside. Use a path relative to the workspace.',
      '"../x" 不在工作区内：它通向外面。请用相对于工作区的路径。',
    ],
    [
      "p is a named pipe (FIFO), not a regular file: it is neither read nor written",
      "p 是命名管道（FIFO），不是普通文件：既不读也不写",
    ],
    ["The script s.jsonl cannot be read: s.jsonl does not exist", "无法读取脚本 s.jsonl：s.jsonl 不存在"],
    ["--output-schema: q.json does not exist", "--output-schema：q.json 不存在"],
    ["无法写入 x：/x may not be accessed: permission denied", "无法写入 x：不能访问 /x：没有权限"],
    ['limit must be a whole number, but "x" was given', 'limit 应为整数，却给了 "x"'],
    [
      "old_string is not in the file. The nearest lines are\n3: a.txt does not exist",
      "文件中没有 old_string。最接近的行是\n3: a.txt does not exist",
    ],
    [refused.message, "模型服务器不接受这个密钥（401 bad key）"],
    [refused.hint, "请把 OPENAI_API_KEY 设为 http://127.0.0.1:1/v1 对 m 所接受的密钥。"],
    [full.message, "/h/agent.db：磁盘已满；请在那里腾出空间再试（SQLITE_FULL）"],
    ["wanted: an email address", "应为邮箱地址"],
    [
      "letters that look like others in the command: “pаy” (а is U+0430), “xn--a” (it is punycode for other letters)",
      "命令中有与别的相像的字母：“pаy”（а 是 U+0430）、“xn--a”（它是别的字母的 punycode）",
    ],
    [
      "letters that look like others in src/a.ts: “а1” (а is U+0430), “а2” (а is U+0430), “а3” (а is U+0430), 2 more",
      "src/a.ts 中有与别的相像的字母：“а1”（а 是 U+0430）、“а2”（а 是 U+0430）、“а3”（а 是 U+0430），另 2 个",
    ],
    ["a.txt is already as it was before call c3", "a.txt 已是调用 c3 之前的样子"],
    [
      "a.txt has changed since: what calls c3, c4 changed is taken out, the rest stays",
      "a.txt 此后有变：去掉调用 c3, c4 的改动，其余保留",
    ],
    [
      'of artifacts, which are not shown below: artifact a1 "Plan" is no more',
      '产物（下面不显示）：产物 a1 "Plan" 不再存在',
    ],
    [
      "files had to know something to go on with read: it wants to know more than 5 things at once; it was not gone on with, and whether it did anything before is not known",
      "files 要知道某件事才能继续 read：它一次要知道的超过 5 件；没有继续，不知道它此前是否做了什么",
    ],
    [
      "stopped after 5 s; (a process that it had started left it and still runs, beyond this call and this session: PID 7; kill ends it)",
      "5 s 后停止；（它启动的一个进程脱离了它，仍在运行，不随本次调用和本会话结束：PID 7；用 kill 结束它）",
    ],
    ["your hook wants you to be asked: not on Fridays", "你的钩子要求询问你：not on Fridays"],
    ["your hook (npm run x) says no: not now", "你的钩子（npm run x）拒绝：not now"],
    [
      "your hook (npm run x) of c1: it changed the arguments; it wants you to be asked: look",
      "你的钩子（npm run x）对 c1：它改了参数；它要求询问你：look",
    ],
    [
      "it has more than 500 texts, and not all were looked at for files that are closed: a person decides each time",
      "它的文本超过 500 段，没有全部查看其中有无封闭的文件：每次都由人决定",
    ],
    [
      "it was not run: it goes through 12 files that are not read without asking, too many to keep them from it; name the folders or files that it is to read",
      "没有运行：它要经过 12 个未经询问不得读取的文件，多得无法挡住：请写明它要读的文件夹或文件",
    ],
    [
      "(files asked the model something: the model answered (7 tokens in, 5 out), and the person let the server have it)",
      "（files 问了模型一件事：模型回答了（读 7 token，写 5），人同意把它给服务器）",
    ],
    [
      "3 times a tool was called that is not there, and no file was changed in between; the model is told, and after 2 more the turn ends",
      "调用没有的工具 3 次，其间没有改动文件；已告诉模型，再有 2 次本回合就结束",
    ],
    [
      "the reply ends in a tool call that could not be taken for one (an escape with \\x in a string is half, or is not read here); nothing was run, and the model is told",
      "回复以一个无法识别的工具调用结尾（字符串中 \\x 的转义不完整，或这里不读取它）；什么都没有运行，已告知模型",
    ],
    ["edit_file: <path> stands in one call twice", "edit_file：<path> 在一个调用中出现两次"],
    ['e: ["a"] is no tag: <name> comes first in a <tool_call>', 'e：["a"] 不是标签：<tool_call> 中先写 <name>'],
    [
      "session a-b-1 is driven by process 7 on h since T; end it there, or take it over: agent resume a-b-1 --take-over",
      "会话 a-b-1 自 T 起由 h 上的进程 7 驱动；在那里结束它，或接管：agent resume a-b-1 --take-over",
    ],
    [
      '<a b="c"> is not what was expected: <name> comes first in a <tool_call>',
      '这里不应是 <a b="c">：<tool_call> 中先写 <name>',
    ],
    ["a JSON array is wanted, and this is x", "应为JSON 数组，而这x"],
    ...[
      "no: the door needs <x>",
      "the word a has no parameter b",
      "this here is no tag: c",
      "c.txt: it is wanted, and this is why",
    ].map((own): [string, string] => [own, own]),
    [
      "not run: what it would run, or what lets it run, changed meanwhile",
      "没有运行：它要运行的内容，或准许它运行的依据，这时变了",
    ],
    ["wanted: some of the list, as 1, 3, at most 2", "应为列表中的几个，如 1, 3，最多 2 个"],
  ])("%j is told again", (english, told) => expect(saidAgain(english)).toBe(told));

  it("a title is told again by its own tool's sentences alone, and a command never otherwise than it is", () => {
    expect(titleAgain("read_file", "read a.txt (lines 1-7)")).toBe("读取 a.txt (第 1-7 行)");
    expect(titleAgain("edit_file", "edit a.txt (+1 -2)")).toBe("编辑 a.txt (+1 -2)");
    for (const [tool, text] of [
      ["shell", "read a.txt (lines 1-7)"],
      ["mcp__files__read", "read a.txt (lines 1-7)"],
      ["read_file", "search a.txt"],
    ] as const)
      expect(titleAgain(tool, text)).toBe(text);
    expect(titleAgain("shell", "echo (exit code 1, 2 s) (exit code 0, 3 s)")).toContain("echo (");
  });

  const shown = (tool: string, text: string): string[] => titleAgain(tool, text).split("\n");
  test.each([
    ["g1 active: x dropped: y", "g1 进行中：x dropped: y"],
    ["  g2 pending: x done: y", "  g2 待做：x done: y"],
    ["g1 active: by helpers, the last to a: b", "g1 进行中：by helpers, the last to a: b"],
    ["    by helpers, the last to look: s-1, s-2", "    由子代理完成，最后一个 look：s-1, s-2"],
  ])("the state of a goal is told again, whatever its text says: %s", (line, told) =>
    expect(shown("a goal", line)).toEqual([told]),
  );

  test.each([
    ['echo " (exit code 0, " ; false (exit code 1, 0.1 s)', 'echo " (exit code 0, " ; false (退出码 1, 0.1 s)'],
    ["true # (exit code 0, as after x) (exit code 1, 2 s)", "true # (exit code 0, as after x) (退出码 1, 2 s)"],
    ['echo " (exit code 0, " (stopped, 2 s)', 'echo " (exit code 0, " (已停止, 2 s)'],
    ['echo " (ended by x, " (stopped)', 'echo " (ended by x, " (已停止)'],
    ["run x (exit code 1, 0.1 s)", "run x (退出码 1, 0.1 s)"],
    ["run npm test", "运行 npm test"],
    ["a (exit code 137, as after SIGKILL, 1 min 2 s)", "a (退出码 137, 同 SIGKILL 之后, 1 min 2 s)"],
  ])("the end of a command is told again, whatever its words are: %s", (title, told) =>
    expect(shown("shell", title)).toEqual([told]),
  );

  it("what a server's tool shows is no title of its call", () => {
    const told = "call a of the MCP server b";
    expect(displayAgain("mcp__s__t", told)).toBe(told);
    expect(titleAgain("mcp__s__t", told)).toBe("调用 MCP 服务器 b 的 a");
    expect(titleAgain("mcp__s__t shows", told)).toBe(told);
  });

  it("what the sandbox kept from a command is told below what it printed", () => {
    const left = (what: string) => displayAgain("shell", `a: Permission denied\n${what}`).split("\n").at(-1);
    expect(left("(what lies in /a, /b is not there for it)")).toBe("（对它来说 /a, /b 里的内容不存在）");
    expect(left("(3 places that are not read without asking were left out)")).toBe(
      "（略去 3 处未经询问不得读取的内容）",
    );
    expect(
      left(
        "(a command that goes through folders, or reads what it does not name, cannot open what is not read without asking: /a, /b and 3 more; name a file to ask for it)",
      ),
    ).toContain("/a, /b，另 3 处");
    expect(left(`(${shellRuns.wide_pattern})`)).toContain("其中一个模式代表的文件太多");
  });

  it("what a program printed stays as it is below its title", () => {
    const printed = ["… 3 lines before", "a.txt does not exist", "(stopped)", "1 match"].join("\n");
    expect(displayAgain("shell", printed)).toBe(printed.replace("… 3 lines before", "… 前面还有 3 行"));
  });

  it("each tool of the agent's own is told of in a list", () => {
    const tools = [
      ...literals.matchAll(/^(?:read_file|web_search|undo_changes|search_tools|terminate|shell_stop)$/gmu),
    ];
    expect(new Set(tools.map(([name]) => name)).size).toBe(6);
    for (const [name] of tools) expect(purposeAgain(name, "English")).not.toBe("English");
  });

  it("is English in English, and one table for two rooms says each of its own", () => {
    speak(undefined);
    for (const text of ["a does not exist", "edit a (+1 -1)"]) {
      expect(saidAgain(text)).toBe(text);
      expect(titleAgain("edit_file", text)).toBe(text);
    }
  });
});

it("a sentence with a text of its own before the first datum is not taken for one that may begin with anything", () => {
  const own = Object.keys(thrown).filter((english) => !english.startsWith("{"));
  speak(chinese);
  const wrong = own.filter((english) => {
    const about = english.replace(/\{(\w+)\}/gu, "«$1»");
    const told = (thrown[english] ?? "").replace(/\{(\w+)\}/gu, "«$1»");
    return saidAgain(about) !== told;
  });
  speak(undefined);
  expect(wrong).toEqual([]);
});
