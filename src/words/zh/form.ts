import type { form as english } from "../en/form.ts";
import type { Twin } from "../twin.ts";

/** The call during which somebody asks. */
interface Asking {
  tool: string;
  agent: string | undefined;
}

const during = ({ tool, agent }: Asking): string =>
  agent === undefined ? `在其工具 ${tool} 运行期间` : `在其工具 ${tool} 为 ${agent} 运行期间`;

export const form: Twin<typeof english> = {
  asks: (about) => `MCP 服务器 ${about.from} ${during(about)}向你提问`,
  asksModel: (about) => `MCP 服务器 ${about.from} ${during(about)}想询问你的模型`,
  answerGoes: ({ from }) => `你的模型的这个回答将发给 MCP 服务器 ${from}`,
  goesTo: ({ from }) => `这将发给 MCP 服务器 ${from}`,
  firstOf: ({ count }) => `（1/${count}）`,
  field: ({ from, at, of }) => `${from} 提问，${at}/${of}`,
  hints: {
    intro: ["f 填写 · n 拒绝 · esc 离开，不作回答", "f 填写 · n 拒绝 · esc 不回答"],
    yes: ["f 继续 · n 拒绝 · esc 离开，不作回答", "f 继续 · n 拒绝 · esc 不回答"],
    review: ["y 发送 · e 修改 · n 拒绝 · esc 返回", "y 发送 · e 改 · n 拒绝 · esc 返回"],
    model: ["y 发送 · n 拒绝 · esc 离开，不作回答", "y 发送 · n 拒绝 · esc 不回答"],
    field: ["enter 继续 · esc 返回", "enter 继续 · esc 回"],
    choice: ["↑↓ 选择，或直接输入 · enter 继续 · esc 返回", "↑↓ 或输入 · enter 继续 · esc 回"],
  },
  pasted: "粘贴在这里不作任何决定",
  noChoice: ({ typed }) => `“${typed}”不是这里的选项`,
  unread: ({ rows, key }) => `屏幕上还没显示：${rows}；${key} 显示更多`,
  answered: ({ model, took }) => `${model} 已回答（${took}）：`,
  answeredCut: ({ model, took }) => `${model} 已回答（${took}），但被截断：`,
  getsThis: ({ from }) => `${from} 将得到以下内容，原样不变。`,
  wouldGet: ({ model }) => `${model} 将得到以下内容，不含本会话的任何内容，也没有工具：`,
  toSystem: "给系统：",
  asUser: "作为用户：",
  asModel: "作为模型：",
  picture: ({ who, kind, width, height }) => `${who}一张图片，${kind}，${width}x${height} 像素，此处不显示`,
  mayAnswer: ({ tokens, from }) => `它的回答最多 ${tokens} token，费用由你承担；${from} 得到之前你先读到。`,
  wants: ({ field, type }) => `${field}：${type}`,
  mayWant: ({ field, type }) => `${field}：${type}，也可不填`,
  wantsYes: "它只要你说“是”，别无其他。",
  wantsFields: "它想要：",
  asItIs: ({ from }) => `你发送的内容会原样交给 ${from}：切勿填写密码、token 或密钥。`,
  mayBeEmpty: ({ field, type }) => `${field}：${type} · 留空则不发送`,
  sendsYes: "只有你的“是”，别无其他",
  notSent: ({ names }) => `不发送：${names.join(", ")}`,
  lines: {
    begin: "输入 fill、no 或 cancel：",
    send: "输入 send、no 或 cancel：",
    sendOrChange: "输入 send、change、no 或 cancel：",
    notBegun: "什么也没发送。输入 fill、no 或 cancel。",
    notSent: "什么也没发送。输入 send、no 或 cancel。",
    notSentOrChanged: "什么也没发送。输入 send、change、no 或 cancel。",
    onceMore: ({ wrong }) => `${wrong}。再来一次：`,
    anyLine: "填完之前，每一行都算回答，以 / 或 ! 开头的也是；esc 全部放弃、不作回答，ctrl+c 停止。",
    goesTo: ({ from }) => `这将发给 MCP 服务器 ${from}：`,
    field: ({ at, of }) => `${at}/${of}。输入：`,
    filledField: ({ at, of, stands }) => `${at}/${of}。输入（单按 enter 采用 ${stands}，一个空格表示不填）：`,
  },
};
