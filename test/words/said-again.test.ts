import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { callWords } from "../../src/graph/talk/call-words.ts";
import { callEnds } from "../../src/words/contract/call-ends.ts";
import { commandLine } from "../../src/words/contract/command-line.ts";
import { failures } from "../../src/words/contract/failures.ts";
import { policyReasons, type Reason, reasonText } from "../../src/words/contract/policy-reasons.ts";
import { ruleWhys } from "../../src/words/contract/rule-why.ts";
import { endings, notices, refusals } from "../../src/words/contract/session.ts";
import { shellDoubts, shellParts } from "../../src/words/contract/shell-doubts.ts";
import { shellReaders } from "../../src/words/contract/shell-readers.ts";
import { shellRisks } from "../../src/words/contract/shell-risks.ts";
import { shellRuns } from "../../src/words/contract/shell-runs.ts";
import { turnNotices } from "../../src/words/contract/turn-notices.ts";
import { speak } from "../../src/words/room.ts";
import { saidAgain } from "../../src/words/said-again.ts";
import * as chinese from "../../src/words/zh/index.ts";

const contracts = [
  [policyReasons, chinese.policyReasons],
  [callEnds, chinese.callEnds],
  [ruleWhys, chinese.ruleWhys],
  [refusals, chinese.sessionRefusals],
  [notices, chinese.sessionNotices],
  [endings, chinese.sessionEndings],
  [failures, chinese.sessionFailures],
  [commandLine, chinese.commandLine],
  [turnNotices, chinese.turnNotices],
  [shellReaders, chinese.shellReaders],
  [shellRisks, chinese.shellRisks],
  [shellRuns, chinese.shellRuns],
  [shellDoubts, chinese.shellDoubts],
] as const;

beforeEach(() => speak(chinese));
afterEach(() => speak(undefined));

/** Two words of English in a row, commands and codes apart. */
const english = /(?<![\w/.-])[a-z]{2,} [a-z]{3,}(?![\w/.-])/u;

describe("a reason of policy", () => {
  const careful = { code: "of_risk", risk: "high", because: { code: "changes_and_reaches" } } as const;
  const ofFile = { code: "guarded", place: ".env", because: { code: "secrets_by_name" } } as const;
  test.each<[Reason, string]>([
    [careful, "小心，高风险：命令可以修改文件并访问网络"],
    [{ code: "of_risk", risk: "medium", because: { code: "changes_file" } }, "中风险：它会修改一个文件"],
    [ofFile, ".env 受保护，每次都由人决定：叫这个名字的文件里有机密"],
    [
      { code: "sealed", place: { code: "workspace_folder" }, because: { code: "holds_sealed" } },
      "工作区文件夹 已封存：里面有封存的位置",
    ],
    [
      { code: "by_rule", reach: "npm test *", file: "/home/a b/policy.json", line: 3, own: "tests: safe here" },
      "符合 /home/a b/policy.json 第 3 行的规则 'npm test *'：tests: safe here",
    ],
    [{ code: "by_rule", reach: "shell", file: "p.json", line: 12 }, "符合 p.json 第 12 行的规则 'shell'"],
    [
      {
        code: "by_rule",
        reach: "npm test",
        file: "p.json",
        line: 5,
        own: ruleWhys.answered({ decision: "allow", times: 7, last: "2026-11-27" }),
      },
      "符合 p.json 第 5 行的规则 'npm test'：你允许过 7 次，最后一次在 2026-11-27",
    ],
    [
      { code: "by_rule", reach: "rm", file: "p.json", line: 4, own: "it takes files away" },
      "符合 p.json 第 4 行的规则 'rm'：it takes files away",
    ],
    [
      { code: "of_command", command: "echo a: b: it changes a file", because: careful },
      "echo a: b: it changes a file：小心，高风险：命令可以修改文件并访问网络",
    ],
    [
      {
        code: "by_grant",
        granted: { code: "grant", tool: "edit_file", reach: "src/**", scope: "session", helpers: true },
        id: "g1",
      },
      "你已允许 edit_file(src/**) 仅限本会话及其所有子代理 (g1)",
    ],
    [{ code: "gives_secrets", names: ["A", "B"] }, "会把你的机密 A、B 交给它：每次使用都会询问你"],
    [{ code: "not_known", because: "a tool's own words" }, "不知道会运行什么：a tool's own words"],
    [{ code: "edits_accepted", added: true }, "当前模式允许修改工作区和已添加文件夹里的文件"],
  ])("is told again of the same: %j", (reason, told) => expect(saidAgain(reasonText(reason))).toBe(told));
});

it("what became of a call is told again", () => {
  const at = { toolName: "edit_file" };
  const ended = (why: string, more: object = {}) => ({ ...at, ended: { why, ...more } }) as never;
  const cases: [string, string][] = [
    [callWords.end(ended("unseen")), "它的进程在它运行时结束了"],
    [`Outcome unknown: ${callWords.end(ended("unseen"))}`, "结果未知：它的进程在它运行时结束了"],
    [callWords.end(ended("unseen", { unwritten: true })), "没能记下它的结束"],
    [callWords.end(ended("denied")), "被人拒绝"],
    [callWords.end({ ...at, ended: { why: "denied" }, reason: "use b" }), "被人拒绝：use b"],
    [
      callWords.end(ended("policy", { note: reasonText({ code: "read_only_mode" }) })),
      "被策略拒绝：当前是 read-only 模式：什么都不得修改",
    ],
    [callWords.end(ended("stopped")), "在它运行之前，本轮被人停止"],
    [callWords.end(ended("stopped", { unknown: true })), "它的进程在它运行时结束了；本轮被人停止"],
    [callWords.end(ended("superseded")), "人没有回答，而是发了新消息"],
    [callWords.end(ended("forked")), "在它运行之前，会话被分叉"],
    [callWords.end(ended("lapsed")), "已不能再做：它涉及的内容已经变了"],
    [callWords.end(ended("raced")), "另一个程序在最后一刻保存了该文件"],
    [callWords.end(ended("overstepped")), "它修改了受保护的内容"],
    [
      callWords.end(ended("partly", { files: ["a.txt", "b.txt"] })),
      "已修改 a.txt、b.txt；其余部分未完成：其中一部分已经做了",
    ],
    [callWords.end(ended("unclear", { files: ["a.txt"] })), "已修改 a.txt；其余部分情况不明：它在运行时失败了"],
    [callWords.stopped, "被人停止"],
    [
      turnNotices.notTaken({ wrong: "the name of the tool is missing, or not whole" }),
      "回复以一个无法识别的工具调用结尾（工具的名称缺失或不完整）；什么都没有运行，已告知模型",
    ],
    [
      turnNotices.standsAsText({ wrong: "its closing tag is missing, or is not where it should be" }),
      "回复中有一个工具调用是文本，没有被当作调用（它的结束标签缺失或位置不对）；什么都没有运行，已告知模型",
    ],
    [callWords.notCovered(undefined), "它修改的内容无法撤销"],
    [callWords.children([{ pid: 7, fate: "gone" }]), "它启动过进程 7，该进程已经结束"],
  ];
  expect(cases.map(([said]) => saidAgain(said))).toEqual(cases.map(([, told]) => told));
});

/** Data of all kinds that a sentence may need; what it does not ask for is not looked at. */
const sample = (n: number) =>
  new Proxy<Record<string, unknown>>(
    { names: ["one", "two"], addresses: ["::1"], tools: ["t"], pictures: ["p.png"], files: ["f.ts"] },
    {
      get: (lists, name) => {
        if (name in lists) return lists[String(name)];
        if (name === "risk") return ["low", "medium", "high"][n % 3];
        if (name === "decision") return ["allow", "deny", "ask"][n % 3];
        if (name === "scope") return ["session", "project", "user"][n % 3];
        if (name === "helpers") return n;
        if (["isEnded", "added", "undone", "open"].includes(String(name))) return n % 2 === 0;
        return ["of", "at", "asked", "left", "most", "line", "pid"].includes(String(name))
          ? 40 + n
          : `«${String(name)}»`;
      },
    },
  );

it.each(contracts.map(([one, twin]) => [Object.keys(one)[0], one, twin]))(
  "each sentence of the contract of %s is found again, with all its data",
  (_, one, twin) => {
    const unsaid = new Set(["host_at", "of_command"]);
    const lost: unknown[] = [];
    for (const [code, sentence] of Object.entries(one)) {
      if (unsaid.has(code)) continue;
      for (const n of [0, 1, 2]) {
        const say = (words: unknown) =>
          typeof words === "function" ? (words as (about: unknown) => string)(sample(n)) : String(words);
        const told = saidAgain(say(sentence));
        const expected = say((twin as Record<string, unknown>)[code]);
        if (told !== expected || english.test(told.replace(/agent( [a-z]+)+/gu, "")))
          lost.push([code, say(sentence), told, expected]);
      }
    }
    expect(lost).toEqual([]);
    expect(Object.keys(twin).sort()).toEqual(Object.keys(one).sort());
  },
);

describe("a reason of the shell's reader", () => {
  const { boxed, shows_files, shows_kept, tells_names, writes, reads_outside, writes_by_word } = shellReaders;
  const { by_input, index_by, not_parsed, odd_node, read_otherwise } = shellDoubts;
  const inBox = boxed({ because: shows_files });
  const medium = (because: string) => reasonText({ code: "of_risk", risk: "medium", because });
  test.each([
    [medium(writes({ place: "a b.txt" })), "中风险：它会写入 a b.txt"],
    [medium(reads_outside({ place: "/etc/x, y" })), "中风险：它会读取 /etc/x, y，那在工作区以外"],
    [medium(writes_by_word({ option: "w a writes a file" })), "中风险：它的参数 w a writes a file 会写入文件"],
    [
      reasonText({ code: "of_risk", risk: "low", because: inBox }),
      "低风险：只显示文件的内容，且运行的地方什么都不能写",
    ],
    [shows_kept({ count: 1 }), "只显示 git 保存的 1 个可以读取的文件"],
    [shows_kept({ count: 12 }), "只显示 git 保存的 12 个可以读取的文件"],
    [reasonText({ code: "taken_back_by_undo", because: shellRisks.takes_files }), "它会删掉文件，可用 undo 恢复"],
    [reasonText({ code: "not_known", because: by_input({ word: "bash" }) }), "不知道会运行什么：bash 从输入里读取命令"],
    [
      reasonText({ code: "of_command", command: "read a: b", because: medium(index_by({ word: "read" })) }),
      "read a: b：中风险：read 可能要计算一个下标，这可能运行命令",
    ],
    [not_parsed({ because: odd_node({ node: "Word" }) }), "bash 读不了这条命令：里面有一个 Word"],
    [
      read_otherwise({ part: shellParts.inner_document }),
      "bash 对其中命令替换里的 here-document 的读法，可能与看上去不同",
    ],
    [
      read_otherwise({ part: shellParts.behind({ sign: "time -p" }) }),
      "bash 对其中 time -p 后面的内容的读法，可能与看上去不同",
    ],
    [
      shellRuns.may_differ({ word: "npm", because: shellRuns.named_unknown({ word: "--prefix" }) }),
      "npm：不知道 --prefix 写明的是什么；运行的内容可能与你现在看到的不同",
    ],
    [`echo x: ${tells_names}`, "echo x：只说明文件的名称和大小"],
  ])("is told again of the same: %s", (said, told) => expect(saidAgain(said)).toBe(told));

  const { error, push } = { error: /\berror\(("[^"]+"|`[^`]+`)/gu, push: /\bmessage: ([^,]*)/gu };
  const grammar = ["parser", "lexer"].flatMap((name) => {
    const source = readFileSync(new URL(`../../node_modules/unbash/dist/${name}.js`, import.meta.url), "utf8");
    const said = [...source.matchAll(error), ...source.matchAll(push)].flatMap(
      ([, one = ""]) => one.match(/"[^"]+"|`[^`]+`/gu) ?? [],
    );
    return said.map((one) => one.slice(1, -1).replace(/\$\{[^}]*\}/gu, "while"));
  });
  it("knows what the grammar itself may say of a text", () => {
    const found = [...new Set(grammar)].filter((one) => / /u.test(one));
    expect(found.length).toBeGreaterThan(50);
    const told = found.map((because) => saidAgain(not_parsed({ because })));
    expect(
      told.filter(
        (one) =>
          english.test(one) || !one.startsWith("bash 读不了这条命令：") || !/[\u4e00-\u9fff]/u.test(one.slice(13)),
      ),
    ).toEqual([]);
    // By itself it is no sentence of ours.
    expect(saidAgain("expected redirect target")).toBe("expected redirect target");
  });

  it("of a part of a line is no sentence where it stands alone", () => {
    for (const text of ["a test", "echo a: a loop", "arithmetic", reasonText({ code: "not_known", because: "a test" })])
      expect(saidAgain(text)).toContain(text.includes("not known") ? "a test" : text);
  });

  it.each(Object.entries(shellParts))("says in Chinese what bash may read otherwise: %s", (code, said) => {
    const told = (words: unknown) =>
      typeof words === "function" ? String((words as (about: object) => unknown)({ sign: "!" })) : String(words);
    const part = told((chinese.shellParts as Record<string, unknown>)[code]);
    expect(saidAgain(read_otherwise({ part: told(said) }))).toBe(chinese.shellDoubts.read_otherwise({ part }));
  });
});

it("what is no sentence of a contract stays as it is, and in English all does", () => {
  for (const text of ["", "npm test", "name (1.2.3.4)", "ls -la: a file", "it changes a file that is mine", "a\nb"])
    expect(saidAgain(text)).toBe(text);
  speak(undefined);
  const text = reasonText({ code: "changes_file" });
  expect(saidAgain(text)).toBe(text);
});

test("a text that a model made to be searched for long is shown as it is, or told again, at once", () => {
  // By patterns with many data these took minutes, and nested ones all of the stack.
  const often = (text: string): string => text.repeat(Math.ceil(9_000 / text.length));
  const begun = "Helpers of this session were not finished: ";
  for (const text of [
    often(": "),
    often(", "),
    often("Outcome unknown: "),
    often(`${begun}a, b; `),
    often("1 job of "),
  ])
    expect(saidAgain(`${text}!`)).toContain("!");
  // It can be taken apart in hundreds of ways: heads, colons, a line, a bracket, a second sentence.
  for (let at = 0; at < 20; at += 1)
    expect(saidAgain(`${"中：".repeat(8)}${": ".repeat(4_000)}; a (b\n${at})`)).toContain("(b\n");
  const stopped = contracts
    .flatMap(([one]) => Object.values(one))
    .flatMap((said) => {
      if (typeof said === "string") return [];
      const sentence = (said as (about: object) => string)(
        new Proxy({}, { get: () => ({ toString: () => "\u0001", join: () => "\u0001" }) }),
      );
      return [
        sentence
          .split("\u0001")
          .map((text) => text.repeat(300))
          .join("x")
          .slice(0, 20_000),
      ];
    });
  for (const text of stopped) expect(saidAgain(`${text}\u0002`)).toContain("\u0002");
}, 20_000);

test.each([
  ["exit code 0", "退出码 0"],
  ["exit code 137, as after SIGKILL", "退出码 137，同 SIGKILL 之后"],
  ["ended by SIGTERM", "被 SIGTERM 结束"],
  ["stopped at its time limit, exit code 143, as after SIGTERM", "到时限被停止，退出码 143，同 SIGTERM 之后"],
  ["ended by recovery of its call", "被其调用的恢复结束"],
])("the end of a background job: %s", (how, said) => {
  expect(saidAgain(how)).toBe(said);
  const told = notices.endedJob({ id: "c1", command: "npm run build: all", how, last: "it is done: yes" });
  expect(saidAgain(told)).toBe(`后台任务 c1 (npm run build: all) 已结束：${said}；它最后的输出：it is done: yes`);
});
