import type { trust as english } from "../en/trust.ts";
import type { Twin } from "../twin.ts";

export const trust: Twin<typeof english> = {
  leadsToProtected: ({ path }) => `${path}：通向受保护内容的链接`,
  leadsOutOfProject: ({ path }) => `${path}：通向项目之外的链接`,
  leadsOutOfWorkspace: ({ path }) => `${path}：通向工作区之外的链接`,
  leadsNowhere: ({ path }) => `${path}：不通向任何地方的链接`,
  tooDeep: ({ path, most }) => `${path}：文件夹深于 ${most} 层（或链接绕成一圈）`,
  tooManyNames: ({ most }) => `名称超过 ${most} 个`,
  tooManyFiles: ({ most }) => `文件超过 ${most} 个`,
  tooManyBytes: ({ megabytes }) => `文件超过 ${megabytes} MB`,
  notWorkspaces: ({ wrong }) => `这不是受信任工作区的列表：${wrong}`,
  notServers: ({ wrong }) => `这不是受信任服务器的列表：${wrong}`,
  hashes: "每个文件都有其 sha256",
};
