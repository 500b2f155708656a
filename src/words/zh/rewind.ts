import type { rewind as english } from "../en/rewind.ts";
import type { Twin } from "../twin.ts";

export const rewind: Twin<typeof english> = {
  help: { argument: "N CHOICE", text: "从较早的消息继续：对话、文件或两者" },
  answers: {
    later: "有回合正在进行：让它结束或停止它，再 /rewind",
    underWay: "回退正在进行：让它结束或停止它，再 /rewind",
    none: "没有可从中继续的较早消息",
    usage: "/rewind N 说明从那条消息继续会做什么",
    notThere: ({ message }) => `没有消息 ${message}：/rewind 显示它们`,
    noChoice: ({ typed, choices }) => `这里没有此选项：${typed}；可选 ${choices.join(", ")}`,
  },
  title: "从较早的消息继续",
  listHint: "enter 查看 · esc 返回",
  position: ({ at, of }) => `${at}/${of}`,
  filesSince: ({ files }) => `此后 ${files} 个文件`,
  from: ({ message }) => `从“${message}”之前继续`,
  choices: {
    both: "对话和文件（撤销会先询问）",
    talk: "只有对话：文件保持不变",
    files: "只有文件：对话保持不变",
    back: "返回",
  },
  inNewSession: "对话在新会话中继续，输入框里是这条消息；这个会话保持不变",
  more: ({ rows }) => `… 还有 ${rows}`,
  looking: "正在查看文件 …",
  noneChanged: "此后没有文件被改动",
  stays: "不变：",
  staying: "此后有改动，无法撤销：",
  takenBack: "此后有改动，将撤销：",
  leftOut: ({ what }) => `${what}：已略去`,
};
