import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";

export type SearchProvider = "searxng" | "brave" | "tavily" | "bocha";

export const freshnesses = ["noLimit", "oneDay", "oneWeek", "oneMonth", "oneYear"] as const;
type Freshness = (typeof freshnesses)[number];

export interface SearchQuery {
  query: string;
  /** 1 to 50. */
  count: number;
  freshness: Freshness;
}

export interface SearchHit {
  title: string;
  url: string;
  text: string;
  date?: string;
}

export interface ServiceRequest {
  url: URL;
  method: "GET" | "POST";
  headers: Record<string, string>;
  body?: string;
}

/** One search service, as its documentation has it. */
interface SearchService {
  /** The address where it answers; none where everybody runs their own. */
  url?: string;
  /** The variable that has the key, unless the settings name another; none where no key is needed. */
  keyEnv?: string;
  /** Results that one request can have at most, and how many requests there are at most. */
  page: number;
  pages: number;
  /** Page from 0. */
  request(base: URL, wanted: SearchQuery, page: number, key: string): ServiceRequest;
  hits(answer: JsonObject): Json | undefined;
  /** Field names of a hit. */
  fields: { title: string; text: readonly string[]; date: readonly string[] };
}

type Units = Record<Exclude<Freshness, "noLimit">, string>;
const words: Units = { oneDay: "day", oneWeek: "week", oneMonth: "month", oneYear: "year" };
const shortly: Units = { oneDay: "pd", oneWeek: "pw", oneMonth: "pm", oneYear: "py" };

const get = (base: URL, path: string, query: Record<string, string | undefined>): URL => {
  const url = new URL(path, base.href.endsWith("/") ? base : `${base.href}/`);
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

const since = (freshness: Freshness, units: Units): string | undefined =>
  freshness === "noLimit" ? undefined : units[freshness];

const json = { "content-type": "application/json", accept: "application/json" };

const objectAt = (value: Json | undefined, key: string): JsonObject => {
  const found = isJsonObject(value) ? value[key] : undefined;
  return isJsonObject(found) ? found : {};
};

export const searchServices: Readonly<Record<SearchProvider, SearchService>> = {
  // docs.searxng.org/dev/search_api: the format must be switched on in settings.yml.
  searxng: {
    page: 20,
    pages: 5,
    request: (base, { query, freshness }, page) => ({
      url: get(base, "search", {
        q: query,
        format: "json",
        time_range: since(freshness, words),
        ...(page === 0 ? {} : { pageno: String(page + 1) }),
      }),
      method: "GET",
      headers: { accept: "application/json" },
    }),
    hits: (answer) => answer["results"],
    fields: { title: "title", text: ["content"], date: ["publishedDate"] },
  },
  // api-dashboard.search.brave.com: count is 20 at most, offset counts pages.
  brave: {
    url: "https://api.search.brave.com/res/v1/",
    keyEnv: "BRAVE_API_KEY",
    page: 20,
    pages: 3,
    request: (base, { query, count, freshness }, page, key) => ({
      url: get(base, "web/search", {
        q: query,
        count: String(Math.min(20, count)),
        freshness: since(freshness, shortly),
        text_decorations: "false",
        ...(page === 0 ? {} : { offset: String(page) }),
      }),
      method: "GET",
      headers: { accept: "application/json", "x-subscription-token": key },
    }),
    hits: (answer) => objectAt(answer, "web")["results"],
    fields: { title: "title", text: ["description"], date: ["page_age", "age"] },
  },
  // docs.tavily.com: max_results is 20 at most, and there are no further pages.
  tavily: {
    url: "https://api.tavily.com/",
    keyEnv: "TAVILY_API_KEY",
    page: 20,
    pages: 1,
    request: (base, { query, count, freshness }, _, key) => ({
      url: get(base, "search", {}),
      method: "POST",
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, max_results: Math.min(20, count), time_range: since(freshness, words) }),
    }),
    hits: (answer) => answer["results"],
    fields: { title: "title", text: ["content"], date: ["published_date"] },
  },
  // open.bochaai.com: errors come as a code in the answer too.
  bocha: {
    url: "https://api.bochaai.com/v1/",
    keyEnv: "BOCHA_API_KEY",
    page: 50,
    pages: 1,
    request: (base, { query, count, freshness }, _, key) => ({
      url: get(base, "web-search", {}),
      method: "POST",
      headers: { ...json, authorization: `Bearer ${key}` },
      body: JSON.stringify({ query, count, freshness, summary: true }),
    }),
    hits: (answer) => objectAt(objectAt(answer, "data"), "webPages")["value"],
    fields: { title: "name", text: ["summary", "snippet"], date: ["datePublished"] },
  },
};

/** Characters of what is told of one hit. */
const longestText = 500;

/** The hits of one answer in one shape; what has no web address is left out. Undefined where the answer is no list of hits. */
export function hitsOf(provider: SearchProvider, answer: Json): SearchHit[] | undefined {
  const { hits, fields } = searchServices[provider];
  const list = isJsonObject(answer) ? hits(answer) : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one) => {
    const url = isJsonObject(one) ? one["url"] : undefined;
    if (!isJsonObject(one) || typeof url !== "string" || !/^https?:\/\//iu.test(url) || url.length > 2_000) return [];
    const date = textIn(one, fields.date).slice(0, 25);
    const text = textIn(one, fields.text);
    return {
      title: textIn(one, [fields.title]).slice(0, 200) || url,
      url,
      text: text.length > longestText ? `${text.slice(0, longestText)}…` : text,
      ...(date === "" ? {} : { date }),
    };
  });
}

const textIn = (hit: JsonObject, names: readonly string[]): string => {
  const found = names.map((name) => hit[name]).find((value) => typeof value === "string" && value !== "");
  return typeof found === "string"
    ? found
        .replace(/<\/?(?:strong|b|em)>/giu, "")
        .replace(/\s+/gu, " ")
        .trim()
    : "";
};
