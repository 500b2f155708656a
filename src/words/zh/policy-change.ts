import type { policyChange as english } from "../en/policy-change.ts";
import type { Twin } from "../twin.ts";

export const policyChange: Twin<typeof english> = {
  broken: "它已损坏",
  mendFirst: "什么也没写入：先修好它",
  tooMany: ({ file }) => `${file}：规则放不下：什么也没写入`,
  changed: ({ file }) => `${file} 在你查看时被改动：保持原样`,
};
