import { createHttpFetch, type Fetch, type HttpOptions } from "./http-fetch.ts";

type Env = Record<string, string | undefined>;

const lowerFirst = (env: Env, name: string): string => env[name.toLowerCase()] || env[name.toUpperCase()] || "";

/**
 * The fetch for an environment: over a proxy where HTTPS_PROXY or HTTP_PROXY (or their lower-case forms, which win) say
 * so, but for hosts of NO_PROXY; else straight. What a proxy needs is loaded only then.
 */
export function fetchFor(env: Env, options: HttpOptions): Fetch {
  const httpProxy = lowerFirst(env, "http_proxy");
  const httpsProxy = lowerFirst(env, "https_proxy");
  if (httpProxy === "" && httpsProxy === "") return createHttpFetch(options);
  let made: Promise<Fetch> | undefined;
  return async (url, init) => {
    made ??= proxyFetch({ httpProxy, httpsProxy, noProxy: lowerFirst(env, "no_proxy") }, options);
    return (await made)(url, init);
  };
}

async function proxyFetch(
  proxies: { httpProxy: string; httpsProxy: string; noProxy: string },
  { idleMs }: HttpOptions,
): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch } = await import("undici");
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, headersTimeout: idleMs, bodyTimeout: idleMs });
  return async (url, init) => {
    const plain = { ...init, headers: Object.fromEntries(new Headers(init?.headers)), redirect: "manual", dispatcher };
    const answer = await fetch(String(url), plain as Parameters<typeof fetch>[1]);
    return answer as unknown as Response;
  };
}
