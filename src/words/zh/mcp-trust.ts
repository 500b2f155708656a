import type { mcpTrust as english } from "../en/mcp-trust.ts";
import type { Twin } from "../twin.ts";

export const mcpTrust: Twin<typeof english> = {
  cannot: ({ name, why }) => `无法信任 ${name}：${why}`,
  cannotStart: "它无法启动",
  already: ({ name }) => `${name} 已被信任；要再看它的工具就继续`,
  toSee: ({ begin, name }) => `${begin} ${name} 以查看它的工具？输入 yes：`,
  isOther: "它现在已不是显示过的那个",
  trust: ({ what }) => `信任${what}？输入 yes：`,
  notTrusted: ({ name, why }) => `${name} 没有被信任：${why}`,
  trusted: ({ name, hasTools }) => `已信任 ${name}${hasTools ? "；新会话有它的工具" : ""}`,
  hasNothing: ({ name }) => `${name} 没有这里可用的工具、提示词或资源`,
  declined: ({ what }) => `未完成（${what}）：什么都没变`,
  asks: ({ command }) => `agent mcp ${command} 在终端询问`,
  asksHint: ({ command }) => `读过以上内容后：agent mcp ${command} NAME --yes`,
  startedBy: ({ isYours, entry }) => `${isYours ? "你的" : "项目的"}服务器由此启动：\n  ${entry}`,
  runs: ({ path, sha }) => `它运行 ${path}（sha ${sha}）`,
  unpinned: ({ name }) => `小心：${name} 取到的是当天的任意版本；请指定版本（NAME@1.2.3）`,
  inWorkspace:
    "小心：它在工作区中运行，而它的词没有指明那里的程序或脚本：它所运行的工作区内容（文件夹、模块、包的脚本）可能会变，而不会再询问你",
  looksFor: ({ variable, folder }) => `小心：${variable} 让它在 ${folder} 中找代码：那里的内容可能会变，而不会再询问你`,
  outside: "它在沙箱外运行，有网络，能读写你能读写的一切",
  mayAsk: "它的调用运行时，它可以询问你的模型：你会读到它问什么、得到什么回答，并逐一同意",
  proxy: "它的页面经 agent 的网络代理连接互联网，按你对主机的规则；除非规则或你批准的调用写明，否则不连接其他任何地方",
  isRoot: "小心：你是 root，此时 Chromium 没有自己的沙箱",
  spokenTo: ({ isYours, entry }) => `${isYours ? "你的" : "项目的"}服务器已经在运行，通信地址是\n  ${entry}`,
  header: ({ name }) => `带请求头 ${name}`,
  unencrypted: "小心：它不加密：途中任何人都能读到它（包括请求头），并能改动它",
  isPrivate: "它的名称可以指向你自己的网络",
  goesTo: ({ host, port }) => `调用所含的内容发往 ${host}:${port}，对方可任意处置`,
  asClient: ({ client }) => `你以客户端 ${client} 的用户身份登录`,
  forScopes: ({ scopes }) => `你登录以取得 ${scopes.join(" ")}`,
  comesBack: ({ port }) => `你的登录返回到本机端口 ${port}`,
  unchecked: ({ why }) => `它的参数不做检查：${why}`,
  forResources: "它的资源，其内容每次都由它说了算",
  these: ({ kinds }) => `与现在完全一致的这些 ${kinds.join("、")}`,
  prompts: ({ count }) => `以及 ${count} 个供你输入的提示词`,
  cannotBeStarted: ({ name }) => `${name} 无法启动`,
  stopped: "它被停止了",
  logsHint: ({ name }) => `它说了什么：agent mcp logs ${name}`,
  works: ({ name, title, tools, prompts }) => {
    const and = prompts === 0 ? "" : `和 ${prompts} 个受信任的提示词`;
    return `${name} 可用${title === "" ? "" : `（${title}）`}：${tools} 个受信任的工具${and}`;
  },
  isOff: ({ name, why }) => `${name} 已停用：自你信任它以来 ${why}`,
  isNew: ({ name }) => `${name} 是新的，等待你的信任`,
  look: ({ name }) => `要查看并信任它们：agent mcp trust ${name}`,
};
