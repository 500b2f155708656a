import type { mcpServers as english } from "../en/mcp-servers.ts";
import type { Twin } from "../twin.ts";

export const mcpServers: Twin<typeof english> = {
  isYours: "你自己的设置中有同名的服务器",
  noObject: "它不是对象",
  noServers: "它的 mcpServers 不是对象",
  tooMany: ({ most }) => `它的服务器超过 ${most} 个`,
  personsAlone: ({ what }) => `${what}，而这只有你自己的 config.json 可以`,
  namesVariables: "它引用你的环境变量",
  takesSecrets: "它写明要取用你的哪些机密",
  asksModel: "它写明可以询问你的模型",
  variableInHost: "它的 url 在主机或端口处用了变量：把它们直接写出，好让你的信任与之绑定",
  waitsInProject: "它先等待你在此项目中的信任（agent trust），再等待你对它本身的信任",
  notSet: ({ variable }) => `它引用的变量 ${variable} 没有设置`,
  waits: ({ name }) => `它等待你的信任：agent mcp trust ${name}`,
  changed: ({ names, name }) => `${names.join(", ")} 在你信任它之后变了：agent mcp trust ${name}`,
  isGone: "它的条目已不在",
  isOff: ({ name, why }) => `MCP 服务器 ${name} 已停用：${why}`,
  untrusted: "它没有被信任",
  noTool: ({ tool }) => `它没有 urlPatterns 中所写的工具 ${tool}：它们不限制任何工具`,
  hasOthersName: ({ tool }) => `它的工具 ${tool} 已略去，因为另一个工具用了此名称`,
};
