import type { secretCommands as english } from "../en/secret-commands.ts";
import type { Twin } from "../twin.ts";

export const secretCommands: Twin<typeof english> = {
  none: "没有设置机密：agent secrets set NAME",
  code: "即时验证码",
  oneName: "agent secrets set 只接受一个名称，值决不作为参数：别人可能在那里读到它",
  oneNameHint: "agent secrets set NAME 会询问值；agent secrets set NAME --stdin 读取值",
  noName: ({ why }) => `这不能作机密的名称：${why}`,
  ask: ({ name }) => `${name} 的值（不显示）：`,
  notKept: ({ name, why }) => `${name} 的值不能作为机密保存：${why}`,
  kept: ({ name, where, hosts }) => {
    const bound = hosts.length === 0 ? "" : `，只用于 ${hosts.join(", ")}`;
    return `${name} 已保存${where}${bound}；从现在起打开的会话都有它`;
  },
  tooLong: "stdin 的内容超过一个机密的长度",
  noTerminal: "没有可供询问的终端",
  noTerminalHint: "agent secrets set NAME --stdin 读取值",
  noSecret: ({ name }) => `没有机密 ${JSON.stringify(name)}`,
  listHint: "agent secrets list 显示它们",
  stays: ({ name }) => `${name} 在系统的密钥环里，密钥环没能在 2 s 内删除它：它仍在`,
};
