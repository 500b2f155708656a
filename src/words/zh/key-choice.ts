import type { keyChoice as english } from "../en/key-choice.ts";
import type { Twin } from "../twin.ts";

export const keyChoice: Twin<typeof english> = {
  title: ({ why }) => `${why}。选一个：`,
  tour: "导览：脚本模型，在一个小项目的副本上",
  here: ({ server, url, models }) => `${server}（${url}）：${models} 个模型`,
  keyed: ({ server, key }) => `${server}：已设置 ${key}`,
  typed: ({ server }) => `${server} 的密钥，现在输入，不保存在任何地方`,
  none: "（本机没有 Ollama 或 LM Studio 应答）",
  ask: ({ most }) => `1 到 ${most}，ctrl+c 离开：`,
  noNumber: ({ most }) => `没有这个编号：1 到 ${most}，或 ctrl+c 离开`,
  key: ({ key }) => `${key}（不显示）：`,
  keepsKey: ({ key }) => `下次：先运行 export ${key}=…`,
  noKey: "这不是密钥：密钥是由字母、数字和符号组成的一个词，没有空格",
  asking: ({ server }) => `正在向 ${server} 询问它的模型…`,
  notListed: ({ server, why }) => `${server} 没有给出模型列表：${why}`,
  noneNamed: "其中一个也没有",
  more: ({ count }) => `（另有 ${count} 个：输入名称的一部分）`,
  askModel: ({ most }) => `模型，按名称或 1 到 ${most}：`,
  noModel: ({ typed }) => `没有名称中含 ${JSON.stringify(typed)} 的模型`,
  nextTime: ({ command }) => `下次：${command}`,
};
