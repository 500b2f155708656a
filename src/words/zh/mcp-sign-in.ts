import type { mcpSignIn as english } from "../en/mcp-sign-in.ts";
import type { Twin } from "../twin.ts";

const server = ({ name, isProjects }: { name: string; isProjects: boolean }): string =>
  `${isProjects ? "此项目的 " : ""}${name}`;

export const mcpSignIn: Twin<typeof english> = {
  noAnswer: "这不是正在等待的应答。",
  heard: "agent 已收到。结果在它的终端中；此页面可以关闭。",
  portTaken: "它被另一个程序占用",
  notHeard: ({ port, why }) => `无法在本机端口 ${port} 接收：${why}`,
  wrongHint: "查看它；agent mcp logout 移除它",
  inKeyring: ({ program }) => `在系统密钥环中，通过 ${program}`,
  inFile: ({ file }) => `在 ${file} 中，只有你可以读取`,
  unread: ({ why }) => `它的 token 无法读取${why === undefined ? "" : `（${why}）`}，没有告知任何一方`,
  stays: ({ why, ...whose }) => `${server(whose)} 的登录仍在：${why}`,
  staysInKeyring: ({ told, ...whose }) =>
    `${server(whose)} 的登录仍在：它在或可能在系统密钥环中，而密钥环没有移除它；${told}`,
  signedOut: ({ told, ...whose }) => `已退出 ${server(whose)} 的登录：保存的内容已移除；${told}`,
  revoked: ({ host }) => `已告知 ${host}，它的 token 不再有效`,
  endAlone: ({ host }) => `无法告知 ${host}，它的 token 会自行到期`,
  untold: ({ host, why }) => `没能告知 ${host}，它的 token 会自行到期（${why}）`,
  ask: ({ name }) => `询问 ${name} 在哪里登录？输入 yes：`,
  stopped: "它被停止了",
  nothingChanged: "什么都没变",
  notSignedIn: ({ why }) => `未登录：${why}`,
  cannotSignIn: ({ name, why }) => `无法登录 ${name}：${why}`,
  unreachable: "无法连接到它",
  isStarted: ({ name }) => `${name} 无需登录：它由命令启动，不通过 HTTP 通信`,
  nobody: ({ name, why }) => `${name} 无需登录：${why}`,
  signedIn: ({ name, where }) => `已登录 ${name}；登录保存${where}`,
  waitsForTrust: ({ name }) => `在你信任它之前它停用：agent mcp trust ${name}`,
  page: ({ name, host, issuer, goesTo, rights }) => {
    const of = host === issuer ? "" : `（属于 ${issuer}）`;
    return `${name} 让你在 ${host}${of === "" ? " " : of}登录；它的 token 发往 ${goesTo}${rights === undefined ? "" : `，权限为 ${rights}`}`;
  },
  openIt: "在本机的浏览器中打开它",
  opens: ({ opener }) => `由 ${opener} 打开它`,
  waiting: ({ how, minutes }) => `${how}；等待 ${minutes} 分钟，Ctrl-C 结束`,
  noneCame: ({ minutes }) => `${minutes} 分钟内没有应答`,
  unkept: ({ why, told }) => `它无法保存：${why}；${told}`,
  nobodyThere: ({ name }) => `没有人登录 ${JSON.stringify(name)}`,
  listHint: "agent mcp list 显示它们",
};
