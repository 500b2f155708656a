import type { JsonObject } from "../../../core/json.ts";
import { imageHead } from "../../../files/bytes/image-head.ts";
import { resultOfAnswer } from "../call-result.ts";
import type { McpServer, Ready } from "../server.ts";

/** A browser, and what it is called where there are several: its server's name, and whose it is. */
export interface NamedBrowser {
  name: string;
  server: McpServer;
}

/** The view that browsers show, for the person: without values of secrets, not yet safe to draw. */
export interface PageLook {
  /** Each page that is open, and in which browser; its address by the browser's own word, undefined where that is not known. */
  pages: { browser: string; url: string | undefined }[];
  /** More than one runs: it is to be said which is meant. */
  areSeveral: boolean;
  /** Of the page that is worked on in the first browser that shows one, as a file of an image format. */
  picture?: { browser: string; bytes: Uint8Array };
  /** The reason why there is no picture of a page that is open, in as many words as the server makes. */
  reason?: string;
  /** Other pages, or addresses, were open before the picture was made: it may be of those. */
  hasMoved?: true;
}

/** Milliseconds until a browser has made a picture. */
const mostTime = 15_000;

/**
 * Returns the pages that running browsers show, and a picture of one; none is started for it, and nothing of it is sent to a model.
 * @param masked takes the values of secrets out of a text
 */
export async function lookAtPages(
  browsers: readonly NamedBrowser[],
  masked: (text: string) => string,
): Promise<PageLook> {
  const running = browsers.filter(({ server }) => server.known !== undefined);
  const areSeveral = running.length > 1;
  const before = pagesOf(running, masked);
  const first = running.find(({ server }) => server.browser?.urls.length);
  if (first === undefined) return { pages: [], areSeveral };
  try {
    const bytes = await pictureOf(first.server);
    const after = pagesOf(running, masked);
    const hasMoved = JSON.stringify(after) !== JSON.stringify(before);
    const pages = after.length === 0 ? before : after;
    return { pages, areSeveral, picture: { browser: first.name, bytes }, ...(hasMoved ? { hasMoved } : {}) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { pages: before, areSeveral, reason: masked(`${first.name} has made no picture: ${why}`) };
  }
}

const pagesOf = (browsers: readonly NamedBrowser[], masked: (text: string) => string): PageLook["pages"] =>
  browsers.flatMap(({ name, server }) =>
    (server.browser?.urls ?? []).map((url) => ({ browser: name, url: url && masked(url) })),
  );

/** @throws Error with why there is none */
async function pictureOf(server: McpServer): Promise<Uint8Array> {
  const ready = await server.running();
  if (ready === undefined) throw new Error("it has ended");
  const { signal } = new AbortController();
  const { images = [], error } = await resultOfAnswer(await screenshot(ready), { asked: server.name, signal });
  const bytes = Buffer.from(images[0]?.data ?? "", "base64");
  if (error !== undefined) throw new Error(error);
  if (imageHead(bytes) === undefined) throw new Error("what it sent is none");
  return bytes;
}

/** @throws what the server refuses, or that it took too long */
async function screenshot({ connection }: Ready): Promise<JsonObject> {
  const request = connection.request("tools/call", { name: "browser_take_screenshot", arguments: {} });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      request.cancel("it took too long");
      reject(new Error(`it took longer than ${mostTime / 1_000} s`));
    }, mostTime);
  });
  try {
    return await Promise.race([request.answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
