import type { completion as english } from "../en/completion.ts";
import type { Twin } from "../twin.ts";

export const completion: Twin<typeof english> = {
  demo: "导览，无需密钥",
  openai: "OpenAI 兼容服务器的模型",
  script: "回复文件",
  print: "一条消息，同 agent run",
  resume: "继续一个会话，同 agent resume",
};
