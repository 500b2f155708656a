import type { helpProvenance as english } from "../en/help-provenance.ts";
import type { Twin } from "../twin.ts";

export const helpProvenance: Twin<typeof english> = {
  unfit: ({ flag, needs }) => `--${flag} ${needs ? "需要" : "不能用于"} --verify`,
  blame: {
    text: "文件的每一行由哪次调用写成，由谁批准",
    note: "记录和字节能证明时，一行才算某次调用的：经过后来的编辑、撤销和\n移动也是如此。其余的都不是 agent 的。",
    examples: [
      ["agent blame src/app.ts", "每一行及其调用、模型和批准"],
      ["agent blame src/app.ts --json", "每段连续的行一个对象"],
    ],
  },
  log: {
    text: "调用在一个文件中做了什么，最新的在前",
    examples: [
      ["agent log src/app.ts", "每处改动及其调用、模型和批准"],
      ["agent log gone.ts --json", "也可用于已不存在的文件"],
    ],
  },
  attest: {
    text: "声明一个提交的哪些行是已批准调用的字节",
    note: "这是关于该提交所添加的行的 in-toto 声明；签名时由 ssh-keygen 以\nDSSE 封装。其中关于批准的内容是签名者依据记录所作的陈述。",
    examples: [
      ["agent attest --key ~/.ssh/id_ed25519 -o attest.json", "HEAD 的，已签名"],
      ["agent attest --verify attest.json --signers .github/signers HEAD", "用于 CI：有任何不符则以 1 退出"],
    ],
    options: {
      signers: "与 --verify 同用：谁的签名有效，格式为 ssh-keygen 的 allowed signers",
      verify: "对照提交检查此声明",
      output: "写入新文件（默认：stdout）",
      key: "用此密钥签名；有口令的密钥用其 .pub 文件，经由 ssh-agent",
    },
  },
};
