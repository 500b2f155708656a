import { ToolRefusal } from "../../core/codes.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { askServer, type Judged, type Wish } from "./ask-server.ts";
import { readParts } from "./given-parts.ts";
import { cleanGiven, type Given, judgeAll, partsIn } from "./given-prompt.ts";
import { listPages } from "./list-pages.ts";
import { longestAddress, requestOf, shortLine } from "./request-of.ts";
import type { Ready } from "./server.ts";

/** A resource as its server lists it. */
export interface ListedResource {
  uri: string;
  name: string;
}

/** The resources that a server lists, as far as they can be named; none of one that says that it has none. */
export async function listResources(
  { connection, has }: Pick<Ready, "connection" | "has">,
  signal: AbortSignal,
): Promise<ListedResource[]> {
  if (!has.resources) return [];
  const { most } = limits.mcpResources;
  const listed = await listPages(connection, "resources/list", { key: "resources", most, signal });
  return listed.flatMap(namedResource).slice(0, most);
}

/** The same for several names: the server is asked once, and again where that failed. */
export function listedOnce(): typeof listResources {
  let listed: ListedResource[] | undefined;
  return async (ready, signal) => {
    listed ??= await listResources(ready, signal);
    return listed;
  };
}

const namedResource = (listed: Json): ListedResource[] => {
  if (!isJsonObject(listed)) return [];
  const { uri, name } = listed;
  return typeof uri === "string" && uri.length <= longestAddress
    ? [{ uri, name: typeof name === "string" ? name : "" }]
    : [];
};

/**
 * Gets the content that a server gives for a resource that the person named, by its address or by the name that the server lists it under.
 * @param list of a message that names several, the one that all of them are looked for in
 * @throws ToolRefusal that says why it cannot be had: NOT_FOUND where it is not listed, and no address
 */
export async function givenResource(
  wish: Wish,
  named: string,
  judge: Judged,
  list: typeof listResources = listResources,
): Promise<Given & { uri: string }> {
  const { server, masking } = wish;
  return askServer(wish, `its resource ${shortLine(named)}`, async (ready, signal) => {
    const address = addressOf(named, await list(ready, signal), server.name);
    await judge(address);
    const { contents: listed } = await requestOf(ready, "resources/read", { uri: address }, signal);
    const uri = shortLine(masking?.text(address) ?? address);
    const what = `the resource ${uri} of the MCP server ${server.name}`;
    const contents = partsIn(listed, what);
    if (contents.length === 0) throw new ToolRefusal("FAILED", `${what} has nothing in it`);
    await judgeAll(
      contents.map(({ uri: told }) => told),
      judge,
      signal,
    );
    const embedded = contents.map((resource) => ({ type: "resource", resource }));
    const parts = await readParts(embedded, { signal, from: server.name, masking });
    signal.throwIfAborted();
    const text = cleanGiven(parts.flatMap((part) => part.text ?? []).join("\n\n"), what, masking);
    return { text, images: parts.flatMap(({ image }) => image ?? []), uri };
  });
}

/** @throws ToolRefusal where it is none, or could be several */
function addressOf(named: string, listed: readonly ListedResource[], server: string): string {
  if (listed.some(({ uri }) => uri === named)) return named;
  const found = listed.filter(({ name }) => name === named);
  if (found.length > 1) {
    const all = found.map(({ uri }) => shortLine(uri)).slice(0, 5);
    throw new ToolRefusal(
      "FAILED",
      `the MCP server ${server} has ${found.length} resources ${shortLine(named)}: name one by its address (${all.join(", ")})`,
    );
  }
  const [one] = found;
  if (one !== undefined) return one.uri;
  // It may be one of those that it gives without listing them.
  if (/^[a-z][a-z0-9+.-]*:/iu.test(named)) return named;
  throw new ToolRefusal("NOT_FOUND", `the MCP server ${server} lists no resource ${shortLine(named)}`);
}
