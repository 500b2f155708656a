import type { models as english } from "../en/models.ts";
import type { Twin } from "../twin.ts";

export const models: Twin<typeof english> = {
  serverHint: ({ name }) => `在 config.json 中写明它："servers": {"${name}": {"baseUrl": "http://…/v1"}}`,
  needsPrice: ({ name, spec }) => `${name} 需要 ${spec} 的价格`,
  priceHint: ({ spec }) =>
    `在 config.json 中写明每百万 token 的价格："models": {"${spec}": {"price": {"input": N, "output": N}}}`,
  noModels:
    "没有配置模型。设置 OPENAI_API_KEY，或把 OPENAI_BASE_URL 设为本地服务器，或指明一个：agent chat -m SERVER:NAME。",
  known: "已知的信息",
  unlisted: ({ server, why }) => `${server} 没有给出它的模型列表：${why}`,
  configured: "在你的设置中",
  maxOutput: ({ tokens }) => `最多输出 ${tokens} token`,
  price: ({ input, output }) => `每百万 token 输入 ${input}，输出 ${output}`,
};
