import type { mcpBrowser as english } from "../en/mcp-browser.ts";
import type { Twin } from "../twin.ts";

export const mcpBrowser: Twin<typeof english> = {
  noProgram: ({ given }) => `--chromium ${JSON.stringify(given)} 不是程序的完整路径`,
  notFound: ({ names }) => `PATH 中没有 Chromium（${names.join(", ")}）`,
  installOnMac: "brew install --cask chromium 安装一个；--chromium PATH 指明在别处的一个",
  install: "sudo apt-get install chromium（或 dnf、pacman、apk）安装一个；--chromium PATH 指明在别处的一个",
};
