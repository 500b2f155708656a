import { createHttpFetch, type Fetch, type HttpOptions } from "./http-fetch.ts";
import { type Proxies, proxiesOf } from "./proxies.ts";

/**
 * The fetch for an environment: over a proxy where HTTPS_PROXY or HTTP_PROXY say so, but for hosts of NO_PROXY; else straight. What a
 * proxy needs is loaded only then.
 */
export function fetchFor(env: Readonly<Record<string, string | undefined>>, options: HttpOptions): Fetch {
  const proxies = proxiesOf(env);
  if (proxies.httpProxy === "" && proxies.httpsProxy === "") return createHttpFetch(options);
  let made: Promise<Fetch> | undefined;
  return async (url, init) => {
    made ??= proxyFetch(proxies, options);
    return (await made)(url, init);
  };
}

async function proxyFetch(proxies: Proxies, { idleMs }: HttpOptions): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch } = await import("./undici.ts");
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, headersTimeout: idleMs, bodyTimeout: idleMs });
  return async (url, init) => {
    const plain = { ...init, headers: Object.fromEntries(new Headers(init?.headers)), redirect: "manual", dispatcher };
    const answer = await fetch(String(url), plain as Parameters<typeof fetch>[1]);
    return answer as unknown as Response;
  };
}
