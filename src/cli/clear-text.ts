import type { Notice } from "./headless.ts";

/**
 * Said at each start where a key or password would travel so that whoever is on the way can read it: by http://, to another
 * machine. No name is looked up for it, and nothing is asked.
 * @param configured wins over the environment's OPENAI_BASE_URL.
 */
export async function clearTextNotices(
  model: string,
  env: Readonly<Record<string, string | undefined>>,
  configured?: string,
): Promise<Notice[]> {
  const asked = configured ?? env["OPENAI_BASE_URL"]?.trim() ?? "";
  if (!model.trim().startsWith("openai:") || !/^http:/i.test(asked) || !URL.canParse(asked)) return [];
  const url = new URL(asked);
  const key = [env["OPENAI_API_KEY"]?.trim() ?? "", url.username, url.password].join("");
  const { isThisMachine } = await import("../net/addresses.ts");
  if (key === "" || isThisMachine(url.hostname)) return [];
  const text = `the model server ${url.host} is spoken to by http://: whoever is on the way can read the key and all that is said`;
  return [{ code: "clear_text", text }];
}
