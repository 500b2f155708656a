import type { NamedBrowser } from "../tools/mcp/browser/look-at-page.ts";
import type { McpServer } from "../tools/mcp/server.ts";

/** The servers of the sessions that this process drives, as long as those are open; none of them need run. */
export class SessionServers {
  readonly #bySession = new Map<string, readonly McpServer[]>();

  /** @returns what is called when they are ended. @param session without one nobody asks for them */
  add(session: string | undefined, servers: readonly McpServer[]): () => void {
    if (session === undefined || servers.length === 0) return () => undefined;
    this.#bySession.set(session, servers);
    return () => {
      // A session that was opened again meanwhile has others.
      if (this.#bySession.get(session) === servers) this.#bySession.delete(session);
    };
  }

  /** The one of this name that a session has. */
  readonly of = (session: string, name: string): McpServer | undefined =>
    this.#bySession.get(session)?.find((server) => server.name === name);

  /** The browsers of a session and of its helpers. */
  readonly browsersOf = (session: string): NamedBrowser[] =>
    [...this.#bySession].flatMap(([id, some]) => {
      const browsers = some.filter(({ browser }) => browser !== undefined);
      if (id === session) return browsers.map((server) => ({ name: server.name, server }));
      if (!id.startsWith(`${session}@`)) return [];
      return browsers.map((server) => ({ name: `${server.name} of ${id}`, server }));
    });
}
