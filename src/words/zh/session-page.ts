import type { sessionPage as english } from "../en/session-page.ts";
import type { Twin } from "../twin.ts";
import { ruleText } from "./cells.ts";

/** The states of a session, as the store names them. */
const states: Readonly<Record<string, string>> = {
  idle: "空闲",
  running: "运行中",
  awaiting_approval: "等待批准",
  awaiting_recovery: "等待处理中断",
  broken: "已损坏",
};

/** The reasons why a turn ended, as the store names them. */
const reasons: Readonly<Record<string, string>> = {
  cancelled: "已停止",
  failed: "失败",
  max_steps: "步数用完",
  max_cost: "预算用完",
  context_full: "上下文已满",
  stuck: "反复失败",
  awaiting_approval: "等待批准",
  awaiting_recovery: "等待处理中断",
};

export const sessionPage: Twin<typeof english> = {
  lang: "zh-CN",
  speakers: { person: "人", steer: "人，在回合进行中", agent: "agent" },
  headSpeakers: { person: "人", steer: "人，在回合进行中", agent: "agent" },
  helper: "子代理",
  session: ({ session, model, state }) => `会话 ${session} · ${model} · ${states[state] ?? state}`,
  inFolder: ({ workspace }) => `在 ${workspace}`,
  figures: ({ started, last, read, written }) => `开始于 ${started}，最近 ${last}，读 ${read} token，写 ${written}`,
  plan: ({ done }) => `计划，${done}`,
  turn: ({ turn }) => `回合 ${turn}`,
  turnEnded: ({ reason }) => `本回合的结束：${reasons[reason] ?? reason}`,
  notEnded: "本回合还没有结束",
  picture: ({ name, type }) => `图片 ${name} (${type})`,
  worksFor: ({ goal, mode }) => `为 ${goal} 工作 (${mode})`,
  takenBack: ({ call }) => `已由调用 ${call} 撤销`,
  facts: ({ tool, risk, effect, attempt }) => `${tool} · 风险 ${risk} · 效果 ${effect} · 尝试 ${attempt} 次`,
  life: "经过",
  arguments: "参数",
  asWritten: "模型所写的",
  asDone: "所做的，或将做的",
  asAsked: "模型所要求的",
  command: "命令",
  shown: "所显示的",
  output: "输出",
  error: "错误",
  why: "原因",
  whatChanged: "改动",
  moreChanged: ({ lines }) => `另有 ${lines} 行改动没有保存在这里`,
  changes: {
    success: "它的改动",
    error: "它本要做的改动",
    cancelled: "它本要做的改动",
    interrupted: "它本要做的改动",
    executing: "它正在做的改动",
    pending: "它将做的改动",
    awaiting_approval: "它将做的改动",
  },
  verbs: {
    approve: "批准",
    deny: "拒绝",
    edit: "修改参数",
    retry: "决定重新运行",
    done: "标为已完成",
    cancel: "放弃",
  },
  givers: {
    person: "人",
    flag: "人（用标志）",
    script: "脚本",
    typed: "人（输入了该命令）",
    unknown: "记录中没有写明的一方",
  },
  decided: ({ what, who, elsewhere }) => `由${who}${what}${elsewhere ? "，来自另一个进程" : ""}`,
  because: ({ reason }) => `：${reason}`,
  fromThenOn: ({ grant }) => `，并且从此：${grant}`,
  byPolicy: ({ allowed, rule }) =>
    `由策略${allowed ? "允许" : "拒绝"}${rule === undefined ? "" : `，${ruleText(rule)}`}`,
};
