import { ToolRefusal } from "../../../core/codes.ts";
import type { HostFact } from "../../../core/host-fact.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../../core/json.ts";
import { taggedNames } from "../../../core/secrets/secret-tags.ts";
import type { RiskLevel, Tool } from "../../../core/tool.ts";
import { hostFact, type WayOut } from "../../../net/way.ts";
import { pageUrl } from "../../web/page-url.ts";
import type { ServerOrigin, StartedEntry } from "../entry.ts";
import type { ShownPage } from "./open-pages.ts";

/** What the person's rules say of a host that a page wants something of, with nobody there to be asked. */
export interface Traffic {
  decision: "allow" | "ask" | "deny";
  why: string;
}

/** What is known of a browser while it runs. */
export interface BrowserLife {
  /** What its proxy refused since it was last asked. */
  refused(): readonly string[];
  /** By its own word. */
  pages(): readonly ShownPage[];
}

/** Where a browser may go: each host by the rules in force, and the one that the last call went to, as that call was allowed. */
export class BrowserWay {
  readonly way: WayOut;
  readonly #judge: (host: HostFact) => Promise<Traffic>;
  #visited: readonly HostFact[] = [];
  #life: BrowserLife = { refused: () => [], pages: () => [] };

  constructor(way: WayOut, judge: (host: HostFact) => Promise<Traffic>) {
    this.way = way;
    this.#judge = judge;
  }

  /**
   * The hosts that a call names by its address, or those of the page that it is to type a secret into.
   * @throws ToolRefusal where the address is none that a page is read from, or it is not known whose page it is
   */
  async hostsOf(args: JsonObject, shown?: readonly HostFact[]): Promise<HostFact[]> {
    if (typesSecret(args)) return this.#pageHosts();
    const { url } = args;
    return url === undefined ? [] : [await hostFact(pageUrl(String(url)), this.way, shown?.[0])];
  }

  /** A call goes there, and was let. @param args with the values of secrets in them @throws ToolRefusal where a secret was meant for another page than there is now */
  async visits(args: JsonObject, hosts: readonly HostFact[]): Promise<void> {
    if (hosts.length === 0) return;
    if (args["url"] !== undefined) this.#visited = hosts;
    else if (canonicalJson(await this.#pageHosts()) !== canonicalJson([...hosts]))
      throw new ToolRefusal("FAILED", "nothing was typed: the page has parts of other hosts by now");
  }

  /** Why nothing of a page goes there, in words. */
  async refuses(host: HostFact): Promise<string | undefined> {
    const { decision, why } = await this.#judge(host);
    if (decision === "allow") return undefined;
    const isVisited = this.#visited.some((one) => canonicalJson({ ...one }) === canonicalJson({ ...host }));
    return decision === "ask" && isVisited ? undefined : why;
  }

  /** It was started, perhaps anew. */
  began(life: BrowserLife): void {
    this.#life = life;
  }

  /** Of the page that it shows; undefined where it shows none, or one that is not known. */
  get pageUrl(): string | undefined {
    const [page, ...others] = this.#life.pages();
    return others.length === 0 ? page?.url : undefined;
  }

  /** The hosts that have documents in the page that it shows: which of these it is that something is typed into is not known. @throws ToolRefusal where one is not known */
  async #pageHosts(): Promise<HostFact[]> {
    const pages = this.#life.pages();
    const [page] = pages;
    const refuse = (why: string) =>
      new ToolRefusal("INVALID_ARGUMENT", `a secret is put in for the page's host: ${why}`);
    if (page === undefined) throw refuse("no page is open");
    if (pages.length > 1) throw refuse("more than one page is open: close the others (browser_tabs)");
    if (page.url === undefined || page.origins.includes(""))
      throw refuse("it is not known whose page this is, or there is a part in it of which that is not known");
    return Promise.all(page.origins.map((origin) => hostFact(new URL(origin), this.way)));
  }

  /** What pages wanted of hosts and did not get, since this was last asked; empty where there is nothing. */
  refusedWords(): string {
    const told = this.#life.refused();
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

/** Tools that go to a page, or away from it, and do nothing on the one that is open. */
const going = /^browser_(?:navigate|navigate_back|tabs|close)$/u;

/** Where tools that type take secrets. */
const typed: Readonly<Record<string, readonly string[]>> = { browser_type: ["text"], browser_fill_form: ["fields"] };

/** What a tool of a browser is, by its name. */
export const browserTraits = (name: string): Pick<Tool, "risk" | "onPage" | "secrets"> => ({
  risk: browserRisk(name),
  ...(browserRisk(name) === "low" || going.test(name) ? {} : { onPage: true }),
  ...(typed[name] === undefined ? {} : { secrets: typed[name] }),
});

/** Whether secrets are to be typed. @throws ToolRefusal where one is meant for another place than a field's value */
function typesSecret({ text, fields }: JsonObject): boolean {
  const inFields = Array.isArray(fields) ? fields.filter(isJsonObject) : [];
  if (inFields.some(({ value: _, ...rest }) => taggedNames(rest).length > 0))
    throw new ToolRefusal("INVALID_ARGUMENT", "a secret is put in for a field's value alone");
  return [text, ...inFields.map(({ value }) => value)].some((one) => taggedNames(one).length > 0);
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
export function browserComplaint(
  { args, env, isBrowser, secrets }: StartedEntry,
  origin: ServerOrigin,
): string | undefined {
  if (isBrowser !== true) return undefined;
  if (origin === "project") return "it says that it is a browser, which only your own config.json may";
  if (secrets !== undefined) return "it is a browser, whose tools say themselves where they take secrets";
  const option = args.map((arg) => arg.replace(/=.*$/su, "")).find((arg) => closedOptions.includes(arg));
  if (option !== undefined) return `it is a browser, of which the agent itself says ${option}`;
  const kind = args.flatMap((arg, at) =>
    arg === "--browser" ? [args[at + 1] ?? ""] : arg.split("--browser=").slice(1),
  );
  if (kind.some((one) => !/^(?:chromium|chrome|msedge)/u.test(one))) return "it is a browser other than Chromium";
  const name = Object.keys(env).find((one) => /^(?:PLAYWRIGHT|PW)/iu.test(one));
  return name === undefined ? undefined : `it is a browser, of which the agent itself says what ${name} does`;
}
