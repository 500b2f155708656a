import type { NamedBrowser } from "../tools/mcp/browser/look-at-page.ts";
import type { McpServer } from "../tools/mcp/server.ts";

/** The browsers of the sessions that this process drives, as long as those are open. */
export class OpenBrowsers {
  readonly #bySession = new Map<string, readonly McpServer[]>();

  /** @returns what is called when they are ended. @param session without one nobody asks for them */
  add(session: string | undefined, browsers: readonly McpServer[]): () => void {
    if (session === undefined || browsers.length === 0) return () => undefined;
    this.#bySession.set(session, browsers);
    return () => {
      // A session that was opened again meanwhile has others.
      if (this.#bySession.get(session) === browsers) this.#bySession.delete(session);
    };
  }

  /** Of a session and its helpers. */
  readonly of = (session: string): NamedBrowser[] =>
    [...this.#bySession].flatMap(([id, some]) => {
      if (id === session) return some.map((server) => ({ name: server.name, server }));
      return id.startsWith(`${session}@`) ? some.map((server) => ({ name: `${server.name} of ${id}`, server })) : [];
    });
}
