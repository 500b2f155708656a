import type { modes as english } from "../en/modes.ts";
import type { Twin } from "../twin.ts";

export const modes: Twin<typeof english> = {
  ask: "可能改动什么的都询问，除非你的规则允许",
  "accept-edits": "工作区内的文件编辑直接进行；其他可能改动什么的都询问",
  "read-only": "会改动任何内容的都拒绝",
  plan: "同 read-only，直到你批准计划",
  "full-auto": "只询问受保护的、发送内容的或有规则的",
};
