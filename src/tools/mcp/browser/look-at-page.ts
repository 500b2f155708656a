import { resultOfAnswer } from "../call-result.ts";
import type { McpServer } from "../server.ts";

/** What browsers show, for the person. */
export interface PageLook {
  /** Of each page that is open, by the browser's own word; undefined where it is not known. */
  urls: (string | undefined)[];
  /** Of the page that is worked on, as a file of an image format. */
  picture?: Uint8Array;
}

/** Milliseconds until a browser has made a picture. */
const mostTime = 15_000;

/**
 * Which pages browsers that run show, and a picture of one; none is started for it, and nothing of it goes to a model.
 * @throws Error in words where a page is open and no picture of it can be made
 */
export async function lookAtPages(servers: readonly McpServer[]): Promise<PageLook> {
  const showing = servers.filter((one) => one.known !== undefined && (one.browser?.urls.length ?? 0) > 0);
  const urls = showing.flatMap(({ browser }) => browser?.urls ?? []);
  const [first] = showing;
  return first === undefined ? { urls } : { urls, picture: await pictureOf(first) };
}

async function pictureOf(server: McpServer): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(mostTime);
  const { connection } = await server.ready(signal);
  const request = connection.request("tools/call", { name: "browser_take_screenshot", arguments: {} });
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => {
      request.cancel("it took too long");
      reject(new Error(`${server.name} has made no picture within ${mostTime / 1000} s`));
    });
  });
  const { images = [], error } = resultOfAnswer(await Promise.race([request.answer, late]), server.name);
  const [image] = images;
  if (image?.data === undefined) throw new Error(`${server.name} has made no picture: ${error ?? "it sent none"}`);
  return Buffer.from(image.data, "base64");
}
