import type { sessionCommands as english } from "../en/session-commands.ts";
import type { Twin } from "../twin.ts";

export const sessionCommands: Twin<typeof english> = {
  noCalls: ({ session }) => `会话 ${session} 没有调用`,
  number: "会话编号（enter 为 1）：",
  noNumber: ({ last }) => `没有这个编号：1 到 ${last}，或按 ctrl+c 离开`,
  changedBy: ({ session }) => `由会话 ${session} 改动`,
  playsAgain: ({ file }) => `重放它：agent run -m script:${file} --answers`,
  isThere: ({ file }) => `${file} 已经存在：什么也没写入`,
  nothingToFork: ({ session }) => `会话 ${session} 没有已完成的步：没有可分叉的`,
  noCall: ({ session, call }) => `会话 ${session} 没有调用 ${JSON.stringify(call)}`,
  callsHint: ({ session }) => `agent sessions show ${session} --calls 显示它的调用`,
  forked: ({ session, turns, steps, calls, at }) =>
    `分叉自 ${session}：${turns} 个回合、${steps} 步、${calls} 次调用${at === undefined ? "" : `，到调用 ${at} 为止`}`,
  stays: ({ session }) => `文件保持现状；${session} 保持原样`,
  goesOn: ({ fork }) => `继续用：agent resume ${fork} "…"`,
  letGoOn: ({ fork }) => `或让模型从那里继续：agent resume ${fork}`,
  noSessions: "没有会话",
  noneHere: "此文件夹没有会话（--all 包括其他文件夹）",
  idle: "空闲",
  running: "运行中",
  waits: "等你决定",
  unknown: "结果不明",
  isDamaged: "已损坏",
  keptForUndo: ({ versions, days }) => `${versions} 个文件版本为撤销而保留，已超过 ${days} 天`,
  daysShape: ({ text }) => `--days 应为从 0 起的整数，而不是 ${JSON.stringify(text)}`,
  remainders: "另一个进程在使用存储，或磁盘已满：已删除内容的一部分可能留在其文件中，直到再次删除会话",
  forceHint: "--force 仍然删除它",
  lines: ({ count }) => `以及对话输入历史的 ${count} 行`,
  mayStill: ({ file, why }) => `${file} 中可能仍有输入过的内容：它无法写入（${why}）`,
  emptyTitle: "标题为空",
  called: ({ session, title }) => `${session} 现在叫 ${title}`,
  noWord: "没有要搜索的词",
  noWordHint: "agent sessions search flaky test",
  more: ({ most }) => `这是前 ${most} 个：搜索更多的词可缩小范围`,
  notSearched: ({ session, why }) => `会话 ${session} 无法搜索：${why}`,
  noMessage: "没有含所有这些词的消息",
  worksFor: ({ goal, session, mode, text }) => `为 ${session} 的 ${goal} 工作（${mode}）：${text}`,
  figures: ({ started, last, read, written, changed }) =>
    `开始于 ${started}，最近 ${last}，输入 ${read} token，输出 ${written}${changed}`,
  notSeen:
    "查找过：此环境中按变量名认出的机密和 agent secrets 的值（包括其 base64 和十六进制形式），以及地址中的密码。看不到：所有其他机密，例如文件中的密钥，以及以其他方式编码或拼合的机密。转交文件之前先读一遍。",
};
