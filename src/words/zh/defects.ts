import type { defects as english } from "../en/defects.ts";
import type { Twin } from "../twin.ts";

export const defects: Twin<typeof english> = {
  details: ({ log }) => ` 详情见 ${log}。`,
  internal: ({ message, where }) => `agent：内部错误：${message}\n已开始的内容都已保存：agent resume 可继续。${where}`,
  lost: ({ why }) => `agent：stdout 无法写入：${why}`,
};
