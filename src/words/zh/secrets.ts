import type { secrets as english } from "../en/secrets.ts";
import type { Twin } from "../twin.ts";

export const secrets: Twin<typeof english> = {
  notGiven: ({ names }) => `系统密钥环没有给出 ${names.join(", ")} 的值：它出现时不会被遮盖`,
  notGivenHint: "解锁系统密钥环，或重新保存：agent secrets set NAME；--unmasked-secrets 则不管它而继续",
};
