/** Tokens that common models read, by server and the beginning of their names; the first that fits counts. */
const windows: Readonly<Record<string, readonly (readonly [prefix: string, tokens: number])[]>> = {
  openai: [
    ["gpt-5-chat", 128_000],
    ["gpt-5", 400_000],
    ["gpt-4.1", 1_047_576],
    ["gpt-4o", 128_000],
    ["gpt-4-turbo", 128_000],
    ["o1-mini", 128_000],
    ["o1", 200_000],
    ["o3", 200_000],
    ["o4-mini", 200_000],
  ],
  anthropic: [["claude", 200_000]],
  gemini: [["gemini", 1_048_576]],
  deepseek: [["deepseek", 128_000]],
};

/** Undefined for a model that is not in the table: a guess would be worse than none. */
export const contextWindowOf = (server: string, model: string): number | undefined =>
  windows[server]?.find(([prefix]) => model === prefix || model.startsWith(`${prefix}-`))?.[1];
