import { createHttpFetch, type Fetch, type HttpOptions } from "./http-fetch.ts";
import { loadUndici } from "./load-undici.ts";
import { type Proxies, proxiesOf } from "./proxies.ts";

/**
 * The fetch for an environment: over a proxy where HTTPS_PROXY or HTTP_PROXY say so, but for hosts of NO_PROXY; else straight. What a
 * proxy needs is loaded only then.
 */
export function fetchFor(env: Readonly<Record<string, string | undefined>>, options: HttpOptions): Fetch {
  const proxies = proxiesOf(env);
  if (proxies.httpProxy === "" && proxies.httpsProxy === "") return createHttpFetch(options);
  // At once, and not with the first request: until that comes an update may take the program's files away.
  const made = proxyFetch(proxies, options);
  made.catch(() => undefined); // told by the first request
  return async (url, init) => (await made)(url, init);
}

async function proxyFetch(proxies: Proxies, { idleMs }: HttpOptions): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch } = await loadUndici();
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, headersTimeout: idleMs, bodyTimeout: idleMs });
  return async (url, init) => {
    const plain = { ...init, headers: Object.fromEntries(new Headers(init?.headers)), redirect: "manual", dispatcher };
    const answer = await fetch(String(url), plain as Parameters<typeof fetch>[1]);
    return answer as unknown as Response;
  };
}
