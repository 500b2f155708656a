import type { rule as english } from "../en/rule.ts";
import type { Twin } from "../twin.ts";

export const rule: Twin<typeof english> = {
  title: "为你做出的相同回答写一条规则",
  hint: "y 写入 · esc 不写",
  unread: "请先读完，再按 y 写入",
  unseen: ({ rows }) => `屏幕上还没显示：${rows}`,
  written: ({ file }) => `已写入 ${file}：从下一次调用起生效`,
};
