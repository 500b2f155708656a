import type { parts as english } from "../en/parts.ts";
import type { Twin } from "../twin.ts";

export const parts: Twin<typeof english> = {
  colours: "给代码着色的部分",
  screen: "绘制屏幕的部分",
};
