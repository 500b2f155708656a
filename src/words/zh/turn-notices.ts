import type { turnNotices as english } from "../contract/turn-notices.ts";
import type { Twin } from "../twin.ts";

export const turnNotices: Twin<() => typeof english> = {
  superseded: ({ calls }) => `你的新消息取消了 ${calls} 个未完成的调用`,
  grantNotKept: ({ why }) => `调用已批准，但授权未能保存：${why}`,
  personOnly: ({ call }) => `调用 ${call} 受保护或为高风险：脚本不能替它回答，它等你决定`,
  partial: ({ call, digest }) => `调用 ${call} 的改动没有全部显示。它仍在等待；批准它用 ${call}@${digest}`,
  outputsLeftOut: ({ before, after }) =>
    `上下文快满了：较早调用的输出不再发送，模型可以重新读取（之前约 ${before} token，现在 ${after}）`,
  outputsCut: ({ before, after }) =>
    `上下文快满了：最近调用的输出只发送一部分，模型可以重新读取（之前约 ${before} token，现在 ${after}）`,
  imagesNotSeen: ({ model }) =>
    `不知道 ${model} 能否看图片：它得到的是描述。在 config.json 中写明："models": {"${model}": {"vision": true}}`,
  retry: ({ why, seconds, attempt }) => `${why}；${seconds} 秒后重试（第 ${attempt} 次）`,
  replyCut: ({ why }) => `${why}；它的调用都没有运行，模型继续`,
  hooksEnough: ({ rounds }) => `你的钩子在本回合让模型继续了 ${rounds} 次：不再询问它们`,
  toolLeftOut: ({ tool, why }) => `工具 ${tool} 被略去：${why}`,
  newTools: ({ tools }) => `新工具：${tools.join("、")}`,
  goneTools: ({ tools }) => `已不再有：${tools.join("、")}`,
  thoughtOnly: "模型思考了却什么也没说；已告知它，并再问一次",
  saidNothing: "模型什么也没说，也没有调用工具；已告知它，并再问一次",
  calledNone: "模型没有调用工具；已告知它要调用一个",
  standsAsText: ({ wrong }) => `回复中有一个工具调用是文本，没有被当作调用（${wrong}）；什么都没有运行，已告知模型`,
  onlyShown: "工具调用只是被展示（在代码、引文、列表或注释中），没有运行；已告知模型",
  shownAgain:
    '已告知模型，工具调用仍只是被展示，没有运行。如果确实要调用：还没有用 XML 时，让它用 XML 调用工具：agent resume --tool-format xml，或在 config.json 中给该模型写 "toolFormat": "xml"；或换别的模型继续（-m）',
  notTaken: ({ wrong }) => `回复以一个无法识别的工具调用结尾（${wrong}）；什么都没有运行，已告知模型`,
  noAnswer: ({ wrong }) => `这没有被当作回答：${wrong}；已告知模型，它再试一次`,
};
