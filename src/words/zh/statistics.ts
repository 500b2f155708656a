import type { statistics as english } from "../en/statistics.ts";
import type { Twin } from "../twin.ts";

export const statistics: Twin<typeof english> = {
  oftenFails: ({ rate, calls }) => `经常失败（${calls} 次调用成功 ${rate}）`,
  isSlow: ({ each }) => `慢（每次 ${each}）`,
  marks: { failing: "! 经常失败", slow: "! 慢" },
  heads: {
    tool: "工具",
    calls: "调用",
    success: "成功率",
    mean: "平均",
    p95: "p95",
    total: "总计",
    lastUsed: "上次使用",
    cost: "费用",
    read: "读",
    cached: "缓存",
    written: "写",
    session: "会话",
  },
  errors: ({ count }) => `失败 ${count}`,
  cancelled: ({ count }) => `已取消 ${count}`,
  interrupted: ({ count }) => `中断 ${count}`,
  inAll: ({ time }) => `共 ${time}`,
  sessions: ({ sessions }) => `${sessions} 个会话`,
  unpriced: ({ replies }) => `不含 ${replies} 条回复的费用，其费用未知`,
  ofTools: ({ flag }) => `--${flag} 用于工具，--cost 用于会话`,
  ofToolsHint: "agent stats --cost 可用 --top、--asc 和 --since",
  top: ({ text }) => `--top 应为从 1 起的整数，而非 ${JSON.stringify(text)}`,
  by: ({ orders, text }) => `--by 应为 ${orders.join(", ")} 之一，而非 ${JSON.stringify(text)}`,
  noCalls: ({ of, since, near }) =>
    `${since === undefined ? "" : `${since} 以来`}没有${of === undefined ? "" : ` ${of} 的`}调用${near}`,
  near: ({ name }) => `；是不是 ${name}？`,
};
