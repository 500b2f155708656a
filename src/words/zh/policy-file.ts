import type { policyFile as english } from "../en/policy-file.ts";
import type { Twin } from "../twin.ts";

export const policyFile: Twin<typeof english> = {
  unread: ({ why }) => `无法读取文件：${why}`,
  unwritten: ({ why }) => `无法写入文件：${why}`,
  leadsOut: "它是通向工作区之外的链接：不读取",
};
