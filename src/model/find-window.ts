import { type ListOptions, listModels } from "./model-list.ts";
import { ollamaWindow } from "./ollama-window.ts";
import type { Server } from "./servers.ts";

/** Asks a server how much one of its models reads, in tokens. */
export async function windowAt(server: Server, model: string, options: ListOptions): Promise<number | undefined> {
  const found = await listModels(server, options).then(
    (models) => models.find(({ id }) => id === model),
    () => undefined,
  );
  if (found?.contextWindow !== undefined) return found.contextWindow;
  const isOllama = server.name === "ollama" || found?.isOllamas === true;
  return isOllama ? ollamaWindow(server, model, options) : undefined;
}
