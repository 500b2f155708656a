import type { palette as english } from "../en/palette.ts";
import type { Twin } from "../twin.ts";

export const palette: Twin<typeof english> = {
  help: { argument: "", text: "这里能做的一切，在一个列表中" },
  none: "这里没有含这些词的内容",
  hint: "输入以缩小 · enter 选用 · esc 返回",
  untitled: "（无标题）",
  session: ({ id, when }) => `会话 ${id}，${when}`,
  mode: ({ mode }) => `模式 ${mode}`,
  fromNowOn: "从现在起",
  groups: {
    chat: "对话",
    session: "本会话",
    work: "本会话中的工作",
    rules: "权限",
    modes: "模式",
    files: "文件中的命令",
    sessions: "其他会话",
  },
};
