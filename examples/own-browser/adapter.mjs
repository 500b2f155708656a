// Makes tools of the actions of a browser library (Browser Use has such a table, and others do): all of them work in one browser session, and
// what an action comes to is what the tool's call comes to.

/** @import { GivenImage, JsonObject, Tool, ToolContext, ToolRegistry, ToolResult, z } from "holdfast" */

/**
 * What an action of the library comes to.
 * @typedef {object} ActionResult
 * @property {string} [extractedContent] for the model
 * @property {string} [longTermMemory] what stays told of it
 * @property {boolean} [includeExtractedContentOnlyOnce] later requests have the memory alone
 * @property {string} [error]
 * @property {GivenImage[]} [images]
 * @property {string[]} [attachments] paths of files
 * @property {JsonObject} [metadata]
 */

/**
 * An action as the library has it in its table.
 * @template Session
 * @typedef {object} Action
 * @property {string} description
 * @property {z.ZodType} params
 * @property {string[]} [domains] the pages that it is for
 * @property {(params: any, at: { browserSession: Session, pageUrl: string | undefined }) => Promise<ActionResult>} run
 */

/** What the library does not know of its actions, and an agent must. @typedef {Pick<Tool, "risk" | "effect" | "secrets">} Said */

/** @template {{ readonly url: string | undefined }} Session the library's own, of which this needs the open page alone */
export class BrowserTools {
  #session;
  #actions;
  #said;

  /** @param {Session} session @param {Readonly<Record<string, Action<Session>>>} actions @param {Readonly<Record<string, Said>>} said of some, by their names */
  constructor(session, actions, said = {}) {
    this.#session = session;
    this.#actions = actions;
    this.#said = said;
  }

  /** @param {ToolRegistry} registry */
  registerAll(registry) {
    for (const [name, action] of Object.entries(this.#actions)) registry.register(this.#toolOf(name, action));
  }

  /** What is not said of an action is the careful choice: it is asked about, and never done twice. @param {string} name @param {Action<Session>} action */
  #toolOf(name, { description, params, domains, run }) {
    /** @type {Tool} */
    const tool = {
      name: `browser_${name}`,
      description,
      args: params,
      ...this.#said[name],
      ...(domains === undefined ? {} : { urlPatterns: domains }),
      onPage: true, // a yes is for the page that the person saw
      execute: (args, context) => this.#done(name, () => run(args, this.#at(context)), context),
    };
    return tool;
  }

  /** @param {ToolContext} context */
  #at({ pageUrl }) {
    return { browserSession: this.#session, pageUrl };
  }

  /**
   * The page may have left since it was asked which it is: what was meant for it goes to no other one.
   * @param {string} name @param {() => Promise<ActionResult>} act @param {ToolContext} context @returns {Promise<ToolResult>}
   */
  async #done(name, act, { pageUrl }) {
    if (this.#session.url !== pageUrl) return { output: "", error: "nothing was done: another page is open by now" };
    return resultOf(name, await act());
  }
}

/** @param {string} name @param {ActionResult} result @returns {ToolResult} */
function resultOf(name, { extractedContent = "", longTermMemory, includeExtractedContentOnlyOnce, ...rest }) {
  return {
    title: name,
    output: extractedContent,
    ...(longTermMemory === undefined ? {} : { longTermMemory }),
    ...(includeExtractedContentOnlyOnce === undefined ? {} : { outputOnce: includeExtractedContentOnlyOnce }),
    ...rest, // error, images, attachments and metadata have the same names here
  };
}
