/** A base URL as people may be shown it: without the name and password in it, and without its query, which may hold a key. */
export function withoutCredentials(asked: string): string {
  const url = /^https?:/i.test(asked) && URL.canParse(asked) ? new URL(asked) : undefined;
  if (url === undefined) return asked.replace(/^([a-z]*:\/\/)?.*@/is, "$1").replace(/\?.*/s, "");
  const { protocol, host, pathname } = url;
  return `${protocol}//${host}${pathname}`.replace(/\/+$/, "");
}

/** The password in a base URL, as it stands there and decoded; whoever repeats it in an error is not repeated. */
export function credentialsOf(baseUrl: string): string[] {
  if (!URL.canParse(baseUrl)) return [];
  const { password, username, searchParams } = new URL(baseUrl);
  const raw = [password === "" ? username : password, ...searchParams.values()].filter((one) => one !== "");
  return raw.flatMap((one) => [one, decoded(one)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
