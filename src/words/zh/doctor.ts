import type { doctor as english } from "../en/doctor.ts";
import type { Twin } from "../twin.ts";

export const doctor: Twin<typeof english> = {
  notThere: ({ path }) => `${path}（尚不存在）`,
  there: ({ path, size }) => `${path}（${size}）`,
  keptForUndo: "为撤销保留",
  kept: ({ versions, size, days }) => `${versions} 个文件版本，${size}；agent sessions prune 删除其中超过 ${days} 天的`,
  callsOfTools: "工具调用",
  calls: ({ calls, tools }) => `${tools} 个工具的 ${calls} 次`,
  more: ({ more }) => `另有 ${more} 项`,
  settings: "设置",
  ruleFiles: "规则",
  wait: ({ files }) => `这些文件等待你信任：${files.join("; ")}`,
  inEffect: "全部生效",
  caches: ({ size, folders, place, days }) =>
    `${size}，属于 ${folders} 个工作区，位于 ${place}；${days} 天没有命令用过的会被移除`,
  noSandbox: "off：命令能做你能做的一切",
  sandbox: ({ program }) => `${program}：命令只能写工作区，不请求就没有网络`,
  noneRun: ({ why }) => `不运行任何命令：${why}`,
  without: ({ why }) => `命令不在沙箱中运行：${why}`,
  rules: ({ rules, off }) => `共 ${rules} 条，其中 ${off} 条未生效`,
  wentIn: "--- 自动放入的内容 ---",
};
