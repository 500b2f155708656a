import { ToolRefusal } from "../../core/codes.ts";

/** Bytes: what a person reads in one go, for path and query carry out whatever they hold. */
const longestUrl = 2_000;

/** Returns the fault of a URL, for the model; undefined where it can be asked for. */
export function urlComplaint(given: string): string | undefined {
  if (Buffer.byteLength(given) > longestUrl) return `the URL is longer than ${longestUrl} bytes`;
  // A URL's reader leaves out line ends and takes a backslash for a slash: what is judged would not be what is read.
  if (/[\x00-\x20\x7f-\x9f\\]/u.test(given))
    return "the URL has blanks, control characters or a backslash in it: encode them";
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (url === undefined) return "it is not a whole URL: begin with https://";
  if (url.protocol !== "https:" && url.protocol !== "http:")
    return `only http and https are fetched, not ${url.protocol}`;
  if (url.username !== "" || url.password !== "") return "the URL has credentials in it: none are sent";
  if (url.href.length > longestUrl) return `the URL is longer than ${longestUrl} bytes once it is encoded`;
  return undefined;
}

/** The URL as it is asked for: in ASCII, without a fragment. @throws ToolRefusal INVALID_ARGUMENT. */
export function pageUrl(given: string): URL {
  const wrong = urlComplaint(given);
  if (wrong !== undefined) throw new ToolRefusal("INVALID_ARGUMENT", wrong);
  const url = new URL(given);
  url.hash = "";
  return url;
}
