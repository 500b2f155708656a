import type { rule as english } from "../en/rule.ts";
import type { Twin } from "../twin.ts";

export const rule: Twin<typeof english> = {
  help: { argument: "yes", text: "为你做出的相同回答显示一条规则，然后写入" },
  answers: {
    usage: "/suggest 为你做出的相同回答显示一条规则",
    notShown: "还没有显示过规则：/suggest 显示它",
    none: "没有可建议的：这里没有哪个问题得到过三次相同的回答且从无不同",
    writes: "/suggest yes 写入它",
  },
  title: "为你做出的相同回答写一条规则",
  hint: "y 写入 · esc 不写",
  unread: "请先读完，再按 y 写入",
  unseen: ({ rows }) => `屏幕上还没显示：${rows}`,
  written: ({ file }) => `已写入 ${file}：从下一次调用起生效`,
};
