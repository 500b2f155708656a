import type { agents as english } from "../en/agents.ts";
import type { Twin } from "../twin.ts";

export const agents: Twin<typeof english> = {
  help: {
    argument: "N | stop N",
    text: "本会话的子代理：各自的进度、对话，以及停止它",
  },
  answers: {
    usage: "/agents N 显示一个子代理的对话，/agents stop N 停止一个",
    notMeant: "/agents N 显示一个子代理的对话，/agents stop N 停止一个：你要哪个？",
    none: "本会话没有子代理",
    notThere: ({ helper }) => `没有子代理 ${helper}：/agents 显示它们`,
    stopped: ({ helper }) => `${helper} 已停止`,
  },
  listHint: "enter 读对话 · x 停止 · esc 返回",
  running: "运行中",
  left: "未完成",
  ends: {
    done: "完成",
    failed: "失败",
    max_steps: "步数用完",
    max_cost: "费用用完",
    stuck: "无进展",
    context_full: "上下文已满",
    cancelled: "已停止",
    no_agent: "未开始",
  },
  waitsFor: ({ what, more }) => `等你决定：${what ?? "一次调用"}${more === 0 ? "" : `，另有 ${more} 项`}`,
  stand: ({ helpers, running, waiting, left }) =>
    [
      `${helpers} 个子代理`,
      ...(running === 0 ? [] : [`${running} 个运行中`]),
      ...(waiting === 0 ? [] : [`${waiting} 个等你决定`]),
      ...(left === 0 ? [] : [`${left} 个未完成`]),
    ].join("，"),
  took: ({ steps, inputTokens, outputTokens, cost }) =>
    `${steps} 步，读 ${inputTokens} token，写 ${outputTokens}${cost === undefined ? "" : `，费用 ${cost}`}`,
  position: ({ at, of }) => `${at}/${of}`,
  stop: "要停止它？按 y 停止，按其他键让它继续",
  ended: "它已结束",
  kept: "它继续运行",
  stopping: "正在停止它",
  steps: ({ steps }) => `${steps} 步`,
  tokens: ({ count }) => `${count} token`,
};
