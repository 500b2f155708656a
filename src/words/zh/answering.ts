import type { answering as english } from "../en/answering.ts";
import type { Twin } from "../twin.ts";

export const answering: Twin<typeof english> = {
  nothingSaid: "没有说明要回答什么",
  nothingSaidHint: "agent answer ID --approve c3@DIGEST",
  noCall: ({ name, id }) => `${name} 不是会话 ${id} 的调用，也不是它所驱动的会话的调用`,
  nameEach: ({ flag }) => `--${flag} all：须逐个指明调用`,
  needsDigest: ({ call }) => `--approve ${call} 需要所读内容的摘要码：ID@DIGEST`,
  digestHint: "见 agent sessions show ID --calls",
  taken: {
    approve: ({ name }) => `${name} 已批准`,
    deny: ({ name }) => `${name} 已拒绝`,
  },
};
