import type { lists as english } from "../en/lists.ts";
import type { Twin } from "../twin.ts";

export const lists: Twin<typeof english> = {
  mostSteps: ({ steps }) => `最多 ${steps} 步`,
  mostCost: ({ cost }) => `最多花费 ${cost}`,
  heads: {
    agent: "子代理",
    source: "来源",
    tools: "工具",
    isFor: "用途",
    name: "名称",
    where: "位置",
    does: "作用",
  },
  noAgents: "这里没有设置子代理：子代理没有名称，拥有除 agent 和 save_memory 外的所有工具",
  wishes: "；不予理会：allowed-tools",
  noSkills: "这里没有技能，也没有来自文件的命令",
  noMemories: ({ file }) => `${file} 里没有记住任何内容`,
  noMemory: ({ id }) => `没有记忆 ${JSON.stringify(id)}`,
  severalMemories: ({ count, id }) => `有 ${count} 条记忆叫 ${JSON.stringify(id)}`,
  memoriesHint: "agent memories list 显示它们",
  toolsHint: "agent tools 列出它们",
  near: ({ near }) => `你是指 ${near} 吗？`,
  noTool: ({ name }) => `没有工具 ${JSON.stringify(name)}`,
  tokens: ({ tokens }) => `每次请求约 ${tokens}`,
  isTool: ({ name }) => `已经有工具 ${name}`,
  isToolHint: ({ name }) => `agent tools ${name} 显示它`,
  wroteTool: ({ tool, test }) => `已写入 ${tool}\n已写入 ${test}\n试用：    node --test ${test}\n启用：    agent trust`,
  toolName: "用动词加名词最能说明它做什么：count_lines",
  isFile: ({ file }) => `${file} 已经存在`,
  isFileHint: "换一个名称，或删除它",
};
