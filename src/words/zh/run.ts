import type { run as english } from "../en/run.ts";
import type { Twin } from "../twin.ts";

export const run: Twin<typeof english> = {
  ends: {
    waits: "等你决定",
    unknown: "结果不明",
    unsettled: "尚无定论",
    partly: "部分完成",
    overstepped: "已执行，未被接受",
    raced: "未应用",
    denied: "已拒绝",
    cancelled: "已取消",
  },
  begun: ({ session, model, workspace }) => `会话 ${session} · ${model} · ${workspace}`,
  restored: ({ session, model, workspace }) => `会话 ${session} 已恢复 · ${model} · ${workspace}`,
  helperBegins: ({ agent, session }) => `${agent} 开始：${session}`,
  waitsForApproval: ({ question }) => `等待批准：${question}`,
  outcomeUnknown: ({ question }) => `结果不明：${question}`,
  askedBy: ({ agent }) => `由子代理 ${agent} 提出`,
  of: ({ agent }) => `属于子代理 ${agent}`,
  whyAsked: ({ why }) => `为何询问：${why}`,
  askedAnew: ({ why }) => `! ${why}：这不是之前询问过你的那个改动`,
  partial: ({ what, call }) => `! 不完整：${what}；--approve all 让它继续等待，--approve ${call} 批准它`,
  goal: ({ goal }) => `批准后的目标：${goal}`,
  started: ({ at, known }) => `开始于 ${at}。${known}`,
  runs: ({ file }) => `它运行 ${file}`,
  reads: ({ file }) => `它读取 ${file}`,
  namedIn: ({ name, file }) => `${file} 的 ${name}`,
  apart: ({ place }) => `在 ${place} 运行 · 在沙箱中，那里的工作区只有本会话写入的内容 · 无网络`,
  surroundings: ({ place, sandbox, network }) => {
    const held = sandbox ? "在沙箱中，可写工作区和你指定的文件夹" : "没有沙箱，能做你能做的一切";
    const without = sandbox ? "无网络" : "对网络没有任何限制";
    return `在 ${place} 运行 · ${held} · ${network ? "它请求网络" : without}`;
  },
  sumsUp: ({ tokens }) => `模型正在压缩至今的对话，约用 ${tokens} token`,
  notSummedUp: ({ why }) => `对话没有压缩：${why}`,
  summedUp: ({ after, before }) =>
    `对话已压缩：约 ${after} token，之前 ${before} token；全部仍保存着，/undo compact 让模型重新看到它`,
  itself: "自身",
  tookFor: ({ agent, steps, cost }) => `${agent} ${steps}（${cost}）`,
  took: ({ agent, steps }) => `${agent} ${steps}`,
  inSteps: ({ took }) => `，步数：${took.join("、")}`,
  saved: ({ resume }) => `已保存；继续用：${resume}`,
  savedAsking: ({ resume }) =>
    `已保存，在等你：${resume} --approve all   （或 --deny ID --reason TEXT；不带标志则在终端询问）`,
  savedRecovering: ({ resume }) => `已保存，在等你：${resume} --retry ID、--done ID 或 --cancel ID`,
  costLimit: ({ took, resume }) => `已达到费用上限${took}；继续用：${resume}`,
  stepLimit: ({ took, resume }) => `已达到步数上限${took}；继续用：${resume}`,
  goOn: ({ resume }) => `继续用：${resume}`,
};
