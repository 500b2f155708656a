import type { PromptWords } from "../found-again.ts";

/** Of a file that went into the prompt: the words before and behind its name. */
const named = (name: string): string =>
  name
    .replace(/^git branch (?=.)/u, "git 分支 ")
    .replace(/^your (?=.)/u, "你的 ")
    .replace(/^the agent's notes in (.+?)( \(cut\))?( and \d+ more)?$/u, "$1 中 agent 的笔记$2$3")
    .replace(/^(\d+) more$/u, "另 $1 个")
    .replace(/ and (\d+) more$/u, "，另 $1 个")
    .replace(/ \(cut\)(?=，|$)/u, "（截断）");

/** The words of a notice on the files that went into the prompt. */
export const prompts: PromptWords = {
  named,
  went: ({ used, left }) =>
    `${used === undefined ? "提示词中没有指令文件" : `${used} 已放入提示词`}${left === undefined ? "" : `；略去：${left}`}`,
};
