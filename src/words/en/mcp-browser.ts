import { room } from "../room.ts";

/** The browser of a server that drives one. */
export const mcpBrowser = room("mcpBrowser", {
  noProgram: ({ given }: { given: string }) => `--chromium ${JSON.stringify(given)} is no whole path of a program`,
  notFound: ({ names }: { names: readonly string[] }) => `there is no Chromium in PATH (${names.join(", ")})`,
  installOnMac: "brew install --cask chromium installs one; --chromium PATH names one that lies elsewhere",
  install:
    "sudo apt-get install chromium (or dnf, pacman, apk) installs one; --chromium PATH names one that lies elsewhere",
});
