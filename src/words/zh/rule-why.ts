import type { ruleWhys as english } from "../contract/rule-why.ts";
import type { Twin } from "../twin.ts";

const said = { allow: "允许", deny: "拒绝", ask: "回答" } as const;

export const ruleWhys: Twin<() => typeof english> = {
  answered: ({ decision, times, last }) => `你${said[decision]}过 ${times} 次，最后一次在 ${last}`,
};
