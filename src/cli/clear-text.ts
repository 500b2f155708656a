import { type ServerSettings, serverOf } from "../model/servers.ts";
import { parseModelSpec } from "../model/spec.ts";
import { notices } from "../words/en/notices.ts";
import type { Notice } from "./services/session-services.ts";

/**
 * Said at each start where a key or password would travel so that whoever is on the way can read it: by http://, to another
 * machine. No name is looked up for it, and nothing is asked.
 * @param configured servers of the settings.
 */
export async function clearTextNotices(
  model: string,
  env: Readonly<Record<string, string | undefined>>,
  configured: Readonly<Record<string, ServerSettings>> = {},
): Promise<Notice[]> {
  const spec = parseModelSpec(model);
  const server = spec?.kind === "server" ? serverOf(spec.server, configured, env) : undefined;
  if (server === undefined || !/^http:/i.test(server.baseUrl) || !URL.canParse(server.baseUrl)) return [];
  const url = new URL(server.baseUrl);
  const { apiKeyEnv } = server;
  const key = [apiKeyEnv === undefined ? "" : (env[apiKeyEnv]?.trim() ?? ""), url.username, url.password].join("");
  const { isThisMachine } = await import("../net/addresses.ts");
  if (key === "" || isThisMachine(url.hostname)) return [];
  const text = notices().clearText({ host: url.host });
  return [{ code: "clear_text", text }];
}
