import type { helpSecrets as english } from "../en/help-secrets.ts";
import type { Twin } from "../twin.ts";

export const helpSecrets: Twin<typeof english> = {
  secrets: {
    text: "可交给调用的密码、token 和验证码，模型只知其名",
    examples: [
      ["agent secrets set GITHUB_TOKEN --domain '*.github.com'", "询问它的值，不显示出来"],
      ["agent secrets list", "名称，以及各自可去何处"],
      ["agent secrets rm GITHUB_TOKEN", "忘掉它"],
    ],
  },
  secretsList: {
    text: "名称，各自可去何处、存于何处",
    examples: [["agent secrets list --json", "每行一个对象"]],
  },
  secretsSet: {
    text: "保存一个机密或它的新值：在终端询问，或从 stdin 读取",
    examples: [
      ["agent secrets set NPM_TOKEN", "用于任何主机，也用于命令"],
      ["agent secrets set API_KEY --domain api.example.org --stdin < key.txt", "只用于一个主机，不用于命令"],
      ["agent secrets set github_totp --domain '*.github.com'", "第二因素的密钥：使用其当时的验证码"],
    ],
    options: { stdin: "从 stdin 读取值", domain: "绑定到此主机：多个主机则多次给出" },
  },
  secretsRm: {
    text: "忘掉一些",
    examples: [["agent secrets rm GITHUB_TOKEN", "从密钥环或文件中"]],
  },
};
