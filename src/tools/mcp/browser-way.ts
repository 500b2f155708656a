import { ToolRefusal } from "../../core/codes.ts";
import type { HostFact } from "../../core/host-fact.ts";
import { canonicalJson, type JsonObject } from "../../core/json.ts";
import type { RiskLevel } from "../../core/tool.ts";
import { hostFact, type WayOut } from "../../net/way.ts";
import { pageUrl } from "../web/page-url.ts";
import type { ServerOrigin, StartedEntry } from "./entry.ts";

/** What the person's rules say of a host that a page wants something of, with nobody there to be asked. */
export interface Traffic {
  decision: "allow" | "ask" | "deny";
  why: string;
}

/** Where a browser may go: each host by the rules in force, and the one that the last call went to, as that call was allowed. */
export class BrowserWay {
  readonly way: WayOut;
  readonly #judge: (host: HostFact) => Promise<Traffic>;
  #visited: readonly HostFact[] = [];
  #refused: () => readonly string[] = () => [];

  constructor(way: WayOut, judge: (host: HostFact) => Promise<Traffic>) {
    this.way = way;
    this.#judge = judge;
  }

  /** The hosts that a call names by its address. @throws ToolRefusal where it is none that a page is read from */
  async hostsOf({ url }: JsonObject, shown?: readonly HostFact[]): Promise<HostFact[]> {
    if (url === undefined) return [];
    return [await hostFact(pageUrl(String(url)), this.way, shown?.[0])];
  }

  /** A call goes there, and was let. */
  visits(hosts: readonly HostFact[]): void {
    if (hosts.length > 0) this.#visited = hosts;
  }

  /** Why nothing of a page goes there, in words. */
  async refuses(host: HostFact): Promise<string | undefined> {
    const { decision, why } = await this.#judge(host);
    if (decision === "allow") return undefined;
    const isVisited = this.#visited.some((one) => canonicalJson({ ...one }) === canonicalJson({ ...host }));
    return decision === "ask" && isVisited ? undefined : why;
  }

  /** @param refused what its proxy refused since it was last asked */
  began(refused: () => readonly string[]): void {
    this.#refused = refused;
  }

  /** What pages wanted of hosts and did not get, since this was last asked; empty where there is nothing. */
  refusedWords(): string {
    const told = this.#refused();
    return told.length === 0 ? "" : `(the agent let nothing go to ${told.join("; ")})`;
  }
}

const reading = /^browser_(?:snapshot|find|take_screenshot|console_messages|network_requests|wait_for|resize)$/u;
const reaching = /^browser_(?:evaluate|run_code_unsafe|file_upload|drop)$/u;

/** What a tool of a browser can do, by its name: look at the page, use it as a person does, or go past it. */
export function browserRisk(name: string): RiskLevel {
  if (reading.test(name)) return "low";
  return reaching.test(name) ? "high" : "medium";
}

/** A browser writes no file where a call says: what it keeps is in a folder of its own. @throws ToolRefusal */
export function refuseFiles(args: JsonObject): void {
  if (args["filename"] === undefined) return;
  throw new ToolRefusal("INVALID_ARGUMENT", "leave filename out: what the browser finds is the answer itself");
}

/** Options of the server that lead past the proxy, to another browser, or to files. */
const closedOptions = [
  ...["--proxy-server", "--proxy-bypass", "--config", "--cdp-endpoint", "--cdp-header", "--endpoint", "--extension"],
  ...["--port", "--host", "--allow-unrestricted-file-access", "--no-sandbox", "--output-dir", "--user-data-dir"],
  ...["--init-page", "--init-script", "--save-session", "--storage-state", "--secrets", "--mobile", "--device"],
];

/** Why an entry is none of a browser that is looked after, in words; undefined where it is. */
export function browserComplaint({ args, env, isBrowser }: StartedEntry, origin: ServerOrigin): string | undefined {
  if (isBrowser !== true) return undefined;
  if (origin === "project") return "it says that it is a browser, which only your own config.json may";
  const option = args.map((arg) => arg.replace(/=.*$/su, "")).find((arg) => closedOptions.includes(arg));
  if (option !== undefined) return `it is a browser, of which the agent itself says ${option}`;
  const kind = args.flatMap((arg, at) =>
    arg === "--browser" ? [args[at + 1] ?? ""] : arg.split("--browser=").slice(1),
  );
  if (kind.some((one) => !/^(?:chromium|chrome|msedge)/u.test(one))) return "it is a browser other than Chromium";
  const name = Object.keys(env).find((one) => /^(?:PLAYWRIGHT|PW)/iu.test(one));
  return name === undefined ? undefined : `it is a browser, of which the agent itself says what ${name} does`;
}
