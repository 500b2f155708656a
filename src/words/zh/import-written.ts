import type { importWritten as english } from "../en/import-written.ts";
import type { Twin } from "../twin.ts";

export const importWritten: Twin<typeof english> = {
  link: ({ path, isFolder }) => `${path} 是链接，或不是${isFolder ? "文件夹" : "普通文件"}：不通过它写入任何内容`,
  noServers: ({ file, line }) => `${file}:${line}："mcpServers" 必须是对象`,
  mendFirst: "什么都没写：先修正它",
  noList: ({ file, line, path }) => `${file}:${line}："${path.join(".")}" 必须是列表`,
  noProgram: ({ name }) => `不从 "${name}" 导入任何内容`,
  isOneOf: ({ names }) => `可用的有 ${names.join(", ")}`,
  nothingFound: ({ name }) => `这里没有找到 ${name} 的任何内容`,
  nothingToWrite: "没有可写的内容",
  nothingWritten: "什么都没写",
  takesEffect: "此项目所允许的和它的指示，经 agent trust 后生效",
  set: ({ variable, from }) => `在你的环境中设置 ${variable}；它的值在 ${from} 中，没有复制`,
  toBeCompleted: ({ command }) => `待补全：${command}`,
  notWritten: ({ name, why }) => `服务器 ${name}：未写入：${why}`,
  off: ({ names }) => `${names.join(", ")}：在你逐一信任之前停用：agent mcp trust NAME`,
  lost: ({ count }) => `那边有拒绝或询问作用而没有写到这里的：${count} 项，以 ! 标出`,
  asks: "什么都没写：agent import 在终端询问",
  asksHint: ({ name }) => `读过以上改动后：agent import ${name} --yes`,
  question: "写入这些改动？输入 yes：",
};
