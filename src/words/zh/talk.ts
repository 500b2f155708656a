import type { talk as english } from "../en/talk.ts";
import type { Twin } from "../twin.ts";

export const talk: Twin<typeof english> = {
  help: { argument: "", text: "本会话说过、做过的一切，无折叠" },
  hints: ["j k space b g G · / 搜索 · h l 左右 · esc 返回", "j k g G · / 搜索 · esc 返回", "j k · esc 返回"],
  asOfNow: "至此全部内容",
  none: "这里还没有说过什么",
  earlier: ({ pieces, session }) => `更早的 ${pieces} 条消息和调用未显示：agent sessions show ${session}`,
};
