import type { setup as english } from "../en/setup.ts";
import type { Twin } from "../twin.ts";

export const setup: Twin<typeof english> = {
  renameHint: ({ config }) => `给其中一个改名（${config} 中的 tools）`,
};
