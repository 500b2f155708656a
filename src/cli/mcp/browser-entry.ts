import { isAbsolute } from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { findProgram } from "../../process/find-program.ts";
import { mcpBrowser as words } from "../../words/en/mcp-browser.ts";
import { CliProblem } from "../problem.ts";

/** The server that drives a browser: this version and no other was tried. */
const browserPackage = "@playwright/mcp@0.0.83";

/**
 * The tools of it that are offered: looking at a page, and using it as a person does. Those that run code in a page or hand it files are
 * left out.
 */
const offered = [
  ...["navigate", "navigate_back", "tabs", "snapshot", "find", "take_screenshot", "console_messages"],
  ...["network_requests", "wait_for", "click", "hover", "drag", "type", "fill_form", "select_option", "press_key"],
  ...["handle_dialog", "resize", "close"],
].map((name) => `browser_${name}`);

/** An entry of a browser. @param server the command that starts it, where it is installed */
export const browserEntry = (chromium: string, server: readonly string[]): JsonObject => {
  const [command = "npx", ...args] = server.length === 0 ? ["npx", "-y", browserPackage] : server;
  return {
    command,
    args: [
      ...args,
      "--headless",
      "--isolated",
      "--browser",
      "chromium",
      "--executable-path",
      chromium,
      "--codegen",
      "none",
    ],
    browser: true,
    tools: offered,
  };
};

const names = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

const macPlaces = ["Chromium", "Google Chrome"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);

/** A Chromium of this machine. @param given as the person names it. @throws CliProblem where there is none, with how one is installed */
export async function findChromium(given: string | undefined, path: string | undefined): Promise<string> {
  if (given !== undefined && (!isAbsolute(given) || (await findProgram(given, "/", path)) === undefined))
    throw new CliProblem("usage", words().noProgram({ given }));
  for (const name of given === undefined ? [...names, ...macPlaces] : [given]) {
    const found = await findProgram(name, "/", path);
    if (found !== undefined) return found;
  }
  throw new CliProblem("failed", words().notFound({ names }), { hint: installing() });
}

const installing = (): string => (process.platform === "darwin" ? words().installOnMac : words().install);
