import type { transcript as english } from "../en/transcript.ts";
import type { Twin } from "../twin.ts";

export const transcript: Twin<typeof english> = {
  unchanged: ({ lines }) => `⋯ ${lines} 行未变 ⋯`,
  states: {
    pending: "待运行",
    waiting: "等你决定",
    cancelled: "已取消",
    denied: "你已拒绝",
    partly: "部分完成",
    unknown: "结果不明",
    lost: "结果不明",
  },
  call: "工具调用",
  writing: "正在写参数",
  moreLines: ({ lines }) => `… 还有 ${lines} 行`,
  moreOfChange: ({ lines, by }) => `… 还有 ${lines} 行 · ${by} 显示全部`,
  moreOfResult: ({ lines, call }) => `… 还有 ${lines} 行 · agent sessions show 有 ${call} 的全部`,
  moreOfSession: ({ lines }) => `… 还有 ${lines} 行 · agent sessions show --diff 打印它们`,
  moreOfLine: "… 这一行还有",
  noChanges: "没有改动",
  goesOn: ({ sessions }) =>
    `${sessions === 1 ? "1 加 enter 继续它" : `1 到 ${sessions} 加 enter 继续其一`}；/sessions 列出全部`,
  forNextStep: ({ text }) => `留给下一步：${text}`,
  afterTurn: ({ text }) => `本回合之后：${text}`,
  afterCommand: ({ text }) => `此命令之后：${text}`,
  onItsWay: ({ text }) => `发送途中：${text}`,
  moreWait: ({ messages }) => `… 另有 ${messages} 条等待`,
};
