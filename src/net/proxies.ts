type Env = Readonly<Record<string, string | undefined>>;

export interface Proxies {
  httpProxy: string;
  httpsProxy: string;
  noProxy: string;
}

const lowerFirst = (env: Env, name: string): string => env[name.toLowerCase()] || env[name.toUpperCase()] || "";

/** Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY (or their lower-case forms, which win); empty where they say nothing. */
export const proxiesOf = (env: Env): Proxies => ({
  httpProxy: lowerFirst(env, "http_proxy"),
  httpsProxy: lowerFirst(env, "https_proxy"),
  noProxy: lowerFirst(env, "no_proxy"),
});

/**
 * The proxy that a URL goes through, read as undici's EnvHttpProxyAgent reads the variables for the model's server: http's stands in
 * for https, and an entry of NO_PROXY means the host, every host below it and, where it names one, that port.
 */
export function proxyFor(url: URL, { httpProxy, httpsProxy, noProxy }: Proxies): string | undefined {
  const proxy = url.protocol === "https:" ? httpsProxy || httpProxy : httpProxy;
  return proxy === "" || isExcepted(url, noProxy) ? undefined : proxy;
}

function isExcepted({ protocol, host, port }: URL, noProxy: string): boolean {
  if (noProxy === "*") return true;
  const name = host.replace(/:\d*$/u, "").toLowerCase();
  const asked = Number.parseInt(port, 10) || (protocol === "https:" ? 443 : 80);
  return noProxy.split(/[,\s]/u).some((entry) => {
    if (entry === "") return false;
    const [, before = entry, after] = /^(.+):(\d+)$/u.exec(entry) ?? [];
    if (after !== undefined && Number(after) !== asked) return false;
    const meant = before.replace(/^\*?\./u, "").toLowerCase();
    return name === meant || name.endsWith(`.${meant}`);
  });
}
