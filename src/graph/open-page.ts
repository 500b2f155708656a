import type { AgentEventBody } from "./events.ts";

/** The page that whoever brings one has open. */
export interface OpenPage {
  /** As it was last looked at; undefined where none was open, or nobody said it. */
  readonly url: string | undefined;
  /** Asks for it anew. What keeps it from being told is a notice, once as long as it lasts, and then no page is open. */
  look(): Promise<void>;
}

/** Milliseconds that an answer may take: each request and each call waits for it. */
const mostWait = 2_000;

export function openPage(ask: () => Promise<string | undefined>, emit: (body: AgentEventBody) => void): OpenPage {
  let url: string | undefined;
  let problem: string | undefined;
  const tell = (text: string): undefined => {
    if (text !== problem) emit({ type: "notice", code: "page_unknown", text: `the open page is not known: ${text}` });
    problem = text;
    return undefined;
  };
  return {
    get url() {
      return url;
    },
    async look() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error(`nothing said which it is within ${mostWait / 1_000} s`)), mostWait);
      });
      try {
        url = await Promise.race([ask(), late]);
        problem = undefined;
      } catch (error) {
        url = tell(error instanceof Error ? error.message : String(error));
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
