import { ToolRefusal } from "../../../core/codes.ts";
import type { HostFact } from "../../../core/host-fact.ts";
import { canonicalJson, isJsonObject, type JsonObject } from "../../../core/json.ts";
import { taggedNames } from "../../../core/secrets/secret-tags.ts";
import type { Plan, RiskLevel, Tool } from "../../../core/tool.ts";
import { hostFact, type WebRoute } from "../../../net/web-route.ts";
import { pageOf } from "../../use/url-patterns.ts";
import { pageUrl } from "../../web/page-url.ts";
import type { ServerOrigin, StartedEntry } from "../entry.ts";
import type { ShownPage } from "./open-pages.ts";

/** The decision of the person's rules on a host that a page wants something of, with nobody there to be asked. */
export interface Traffic {
  decision: "allow" | "ask" | "deny";
  why: string;
}

/** The known state of a browser while it runs. */
export interface BrowserLife {
  /** Lists the refusals of its proxy since it was last asked. */
  refused(): readonly string[];
  /** By its own word. */
  pages(): readonly ShownPage[];
}

/** The hosts that a browser may go to: each one by the rules in force, and the one that the last call went to, as that call was allowed. */
export class BrowserWay {
  readonly way: WebRoute;
  readonly #judge: (host: HostFact) => Promise<Traffic>;
  #visited: readonly HostFact[] = [];
  #life: BrowserLife = { refused: () => [], pages: () => [] };

  constructor(way: WebRoute, judge: (host: HostFact) => Promise<Traffic>) {
    this.way = way;
    this.#judge = judge;
  }

  /**
   * The hosts that a call names by its address, or those of the page that it is to type a secret into.
   * @param tool as the server names it
   * @throws ToolRefusal where the address is none that a page is read from, or it is not known on what it would work
   */
  async hostsOf(tool: string, args: JsonObject, shown?: readonly HostFact[]): Promise<HostFact[]> {
    if (browserTraits(tool).onPage === true) {
      checkTargets(args);
      this.#page();
    }
    if (typesSecret(tool, args)) return this.#pageHosts();
    const { url } = args;
    return url === undefined ? [] : [await hostFact(pageUrl(String(url)), this.way, shown?.[0])];
  }

  /** A call was let, as it was planned, and is to be made now. @throws ToolRefusal where there is another page by now */
  async begins(tool: string, args: JsonObject, { hosts = [], page, secrets }: Plan): Promise<void> {
    if (args["url"] !== undefined && hosts.length > 0) this.#visited = hosts;
    const isOther =
      browserTraits(tool).onPage === true &&
      (pageOf(this.#page().url) !== page ||
        (secrets !== undefined && canonicalJson(await this.#pageHosts()) !== canonicalJson([...hosts])));
    if (isOther)
      throw new ToolRefusal("FAILED", "nothing was done: the page is another one by now, or has other parts");
  }

  /** Says why nothing of a page goes there, in words. */
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

  /** Of each page that is open; undefined where that is not known. */
  get urls(): (string | undefined)[] {
    return this.#life.pages().map(({ url }) => url);
  }

  /** The page that it shows. @throws ToolRefusal where there is none, or which it is is not known */
  #page(): ShownPage & { url: string } {
    const [page, ...others] = this.#life.pages();
    const refuse = (why: string) =>
      new ToolRefusal("INVALID_ARGUMENT", `it works on the page that is open, and ${why}`);
    if (page === undefined) throw refuse("none is: go to one first (browser_navigate)");
    if (others.length > 0) throw refuse("more than one is: close the others first (browser_tabs)");
    if (page.url === undefined) throw refuse("it is not known which that is: go to one anew (browser_navigate)");
    return { ...page, url: page.url };
  }

  /** The hosts that have documents in the page that it shows: into which of these something is typed is not known. @throws ToolRefusal where one is not known */
  async #pageHosts(): Promise<HostFact[]> {
    const { origins } = this.#page();
    if (origins.includes(""))
      throw new ToolRefusal(
        "INVALID_ARGUMENT",
        "a secret is put in for the page's host, and there is a part in this page that belongs to none, or to one that is not known yet",
      );
    return Promise.all(origins.map((origin) => hostFact(new URL(origin), this.way)));
  }

  /** Names the hosts that pages wanted something of in vain, since this was last asked; empty where there is none. */
  refusedWords(): string {
    const told = this.#life.refused();
    return told.length === 0 ? "" : `(the agent let nothing go to ${told.join("; ")})`;
  }
}

const reading = /^browser_(?:snapshot|find|take_screenshot|console_messages|network_requests|wait_for|resize)$/u;
const reaching = /^browser_(?:evaluate|run_code_unsafe|file_upload|drop)$/u;

/** Returns the risk of a tool of a browser, by its name: it looks at the page, uses it as a person does, or goes past it. */
export function browserRisk(name: string): RiskLevel {
  if (reading.test(name)) return "low";
  return reaching.test(name) ? "high" : "medium";
}

/** Tools that go to a page, or away from it, and do nothing on the one that is open. */
const going = /^browser_(?:navigate|navigate_back|tabs|close)$/u;

/** The arguments in which tools that type take secrets. */
const typed: Readonly<Record<string, readonly string[]>> = { browser_type: ["text"], browser_fill_form: ["fields"] };

/** Returns the traits of a tool of a browser, by its name. */
export const browserTraits = (name: string): Pick<Tool, "risk" | "onPage" | "secrets"> => ({
  risk: browserRisk(name),
  ...(browserRisk(name) === "low" || going.test(name) ? {} : { onPage: true }),
  ...(typed[name] === undefined ? {} : { secrets: typed[name] }),
});

/** As the snapshot of one document names what is in it: no other document has it. */
const ref = /^(?:f\d+)?e\d+$/u;

// What is looked for by other words is looked for as long as it takes, in whatever document is there by then.
/** @throws ToolRefusal where a call says what it means otherwise than by a snapshot's word for it */
function checkTargets(args: JsonObject): void {
  const { fields } = args;
  const all = [args, ...(Array.isArray(fields) ? fields.filter(isJsonObject) : [])].flatMap((one) =>
    Object.entries(one).filter(([name]) => /target$/iu.test(name)),
  );
  const [wrong] = all.find(([, value]) => !ref.test(String(value))) ?? [];
  if (wrong === undefined) return;
  throw new ToolRefusal("INVALID_ARGUMENT", `${wrong} is what browser_snapshot calls it: e5, or f1e5`);
}

/** Tells whether secrets are to be typed. @throws ToolRefusal where one is meant for another place than a field's value, or sign by sign */
function typesSecret(tool: string, { text, fields, slowly }: JsonObject): boolean {
  if (typed[tool] === undefined) return false;
  const inFields = Array.isArray(fields) ? fields.filter(isJsonObject) : [];
  const refuse = (why: string) => new ToolRefusal("INVALID_ARGUMENT", why);
  if (inFields.some(({ value: _, ...rest }) => taggedNames(rest).length > 0))
    throw refuse("a secret is put in for a field's value alone");
  const isTyped = [text, ...inFields.map(({ value }) => value)].some((one) => taggedNames(one).length > 0);
  if (isTyped && slowly === true) throw refuse("a secret is typed at once: leave slowly out");
  return isTyped;
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

/** Says why an entry is none of a browser that is looked after, in words; undefined where it is. */
export function browserComplaint(
  { args, env, isBrowser, secrets }: StartedEntry,
  origin: ServerOrigin,
): string | undefined {
  if (isBrowser !== true) return undefined;
  if (origin === "project") return "it says that it is a browser, which only your own config.json may";
  if (secrets !== undefined) return "it is a browser, whose tools say themselves where they take secrets";
  const option = args.map((arg) => arg.replace(/=.*$/su, "")).find((arg) => closedOptions.includes(arg));
  if (option !== undefined) return `it is a browser, of which the agent itself says ${option}`;
  const programs = args.filter((arg) => /^--executable-path(?:=|$)/u.test(arg));
  if (programs.length !== 1) return "it is a browser, and says not once which: --executable-path CHROMIUM";
  const kind = args.flatMap((arg, at) =>
    arg === "--browser" ? [args[at + 1] ?? ""] : arg.split("--browser=").slice(1),
  );
  if (kind.some((one) => !/^(?:chromium|chrome|msedge)/u.test(one))) return "it is a browser other than Chromium";
  const name = Object.keys(env).find((one) => /^(?:PLAYWRIGHT|PW)/iu.test(one));
  return name === undefined ? undefined : `it is a browser, of which the agent itself says what ${name} does`;
}
