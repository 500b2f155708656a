import type { mcpNamed as english } from "../en/mcp-named.ts";
import type { Twin } from "../twin.ts";

export const mcpNamed: Twin<typeof english> = {
  noPrompt: ({ typed, name }) => `你没有信任 MCP 服务器 ${name} 的提示词 /${typed}`,
  noPromptHint: ({ name }) => `agent mcp list 显示你已信任的；新的还在等待：agent mcp trust ${name}`,
  notAsked: ({ name, why }) => `不向 MCP 服务器 ${name} 请求：${why}`,
  isDoubtful: ({ shown }) => `${shown} 不用于消息：它可以读作几个文件的地址`,
  notRead: ({ shown, why }) => `${shown} 不可读取：${why}`,
  isGuarded: ({ shown, why }) => `${shown} 受保护，不为消息读取：${why}`,
  tooManyNames: ({ most, count }) => `一条消息最多指名 ${most} 个服务器资源，这条有 ${count} 个`,
  tooLong: ({ given, taken }) => `它指名的资源给出 ${given} 字节文本，而一条消息最多 ${taken}`,
  missing: ({ names, takes }) => `缺少参数 ${names.join(", ")}；它接受 ${takes}`,
  twice: ({ name }) => `参数 ${name} 给了两次`,
  noArguments: "它不接受参数",
  tooManyWords: ({ more, takes }) => `比它接受的多 ${more} 个词，它接受 ${takes}：把同属一项的放进引号`,
};
