import type { status as english } from "../en/status.ts";
import type { Twin } from "../twin.ts";

export const status: Twin<typeof english> = {
  waiting: ({ calls }) => `${calls} 次调用在等你 · 空行按 enter 作答 · 新消息会取消${calls === 1 ? "它" : "它们"}`,
  working: ({ time }) => (time === undefined ? "工作中" : `工作中 · ${time}`),
  stops: "esc 停止",
  goesAside: "ctrl+s 转到后台",
  stopsAndTakesBack: "esc 停止，并收回等待中的消息",
  thinksSoMuch: ({ characters }) => `思考，${characters} 字符：`,
  thinks: "思考：",
  takesBack: ({ more }) => `ctrl+x 收回它${more === 0 ? "" : `，再收回 ${more} 条`}`,
  tokens: ({ count }) => `${count} token`,
  contextUsed: ({ percent, of }) => `${of} 的 ${percent} %`,
  contextFull: ({ percent }) => `上下文已用 ${percent} %`,
  jobs: ({ jobs }) => `后台 ${jobs}`,
  seconds: ({ seconds }) => `${seconds} s`,
  minutes: ({ minutes, seconds }) => `${minutes} min ${seconds} s`,
  keys: "shift+tab 模式 · /help",
  plan: ({ done, of }) => `计划 ${done}/${of}`,
  noneActive: "没有进行中的",
  changed: ({ files, lately }) => `${lately ? "最近" : ""}改动 ${files} 个文件`,
  more: ({ more }) => `… 另 ${more}`,
  title: { waiting: "等待中", working: "工作中" },
  turnEnded: "回合已结束",
  asked: ({ what, more }) => (more > 0 ? `在等你：${what}，另有 ${more} 项` : `在等你：${what}`),
  aCall: "一次调用",
  questionOf: ({ from }) => `${from} 的提问`,
};
