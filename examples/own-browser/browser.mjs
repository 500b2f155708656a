// In the place of a browser library, so that the example needs none: one that knows links, forms and words, and the table of its actions.
import { z } from "holdfast";

/** @import { Action } from "./adapter.mjs" */

export class BrowserSession {
  /** @type {string | undefined} */
  url;
  #html = "";
  /** What was typed, by the names of fields. @type {Map<string, string>} */
  #typed = new Map();

  /** @param {string} address of a page; as it stands in the open one @param {RequestInit} [how] */
  async open(address, how) {
    const response = await fetch(new URL(address, this.url), how);
    this.url = response.url;
    this.#html = await response.text();
    this.#typed.clear();
  }

  /** @param {string} field @param {string} text @returns {boolean} whether there is such a field */
  type(field, text) {
    const isThere = this.#html.includes(`name="${field}"`);
    if (isThere) this.#typed.set(field, text);
    return isThere;
  }

  /** Sends the form of the page. */
  async send() {
    const [, action = ""] = /<form[^>]* action="([^"]*)"/.exec(this.#html) ?? [];
    await this.open(action, { method: "POST", body: new URLSearchParams([...this.#typed]) });
  }

  words() {
    const fields = [...this.#html.matchAll(/ name="([^"]*)"/g)].map(([, name]) => `field ${name}`);
    const links = [...this.#html.matchAll(/ href="([^"]*)"/g)].map(([, to]) => `link ${to}`);
    return [this.#html.replaceAll(/<[^>]*>/g, " ").trim(), ...fields, ...links].join("\n");
  }
}

/** @type {Record<string, Action<BrowserSession>>} */
export const actions = {
  go_to: {
    description: "Opens a page, by its address or by a link of the open one.",
    params: z.strictObject({ address: z.string() }),
    run: async ({ address }, { browserSession }) => {
      await browserSession.open(address);
      return { extractedContent: `${browserSession.url} is open.` };
    },
  },
  read_page: {
    description: "The words, fields and links of the open page.",
    params: z.strictObject({}),
    run: async (_, { browserSession, pageUrl }) => ({
      extractedContent: browserSession.words(),
      longTermMemory: `You read ${pageUrl}.`,
      includeExtractedContentOnlyOnce: true,
    }),
  },
  type_text: {
    description: "Types a text into a field of the open page.",
    params: z.strictObject({ field: z.string(), text: z.string() }),
    run: async ({ field, text }, { browserSession }) =>
      browserSession.type(field, text)
        ? { extractedContent: `"${text}" is in ${field}.` }
        : { error: `the page has no field ${field}` },
  },
  send_form: {
    description: "Sends what was typed into the open page.",
    params: z.strictObject({}),
    run: async (_, { browserSession }) => {
      await browserSession.send();
      return { extractedContent: `It was sent; ${browserSession.url} is open.` };
    },
  },
};
