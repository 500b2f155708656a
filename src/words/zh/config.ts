import type { config as english } from "../en/config.ts";
import type { Twin } from "../twin.ts";

export const config: Twin<typeof english> = {
  maxObserve: "应为字符数，或以 false 表示全部",
  folder: "文件夹要写完整路径，且其中没有冒号",
  place: "位置要写完整路径，或以 ~/ 开头的路径",
  address: "地址中不含凭据：密钥来自 keyEnv 所指的变量",
  serverName: "服务器名称由字母、数字、_、- 和 . 组成",
  noServers: "script 和 demo 不是服务器",
  model: "模型写作 SERVER:NAME；NAME 中的 * 代表任意文字",
  variable: "环境变量的名称",
  noAddress: "缺少 baseUrl，也没有以此为名的已知服务器",
  ownFields: ({ names }) => `${names.join(", ")} 由 agent 自己使用`,
  noProject: "这里没有 CLAUDE_PROJECT_DIR：钩子不是项目的文件",
  ownProgram: "它的程序从工作所在的文件夹写起，而项目在那里可能有另一个程序：写完整路径",
  timeout: "秒数，最多 3600",
  mcpServerName: "服务器名称以字母或数字开头，由字母、数字、_、- 和 . 组成",
  mcpServerType: '服务器的 type 是 "stdio" 或 "http"',
  sampling: 'sampling 是 "ask"，或不写',
  mcpServer: "服务器要有启动它的 command，或 url",
};
