import { room } from "../room.ts";

/** Models, as they are listed and opened. */
export const models = room("models", {
  serverHint: ({ name }: { name: string }) =>
    `name it in config.json: "servers": {"${name}": {"baseUrl": "http://…/v1"}}`,
  needsPrice: ({ name, spec }: { name: string; spec: string }) => `${name} needs the price of ${spec}`,
  priceHint: ({ spec }: { spec: string }) =>
    `say it in config.json, for a million tokens: "models": {"${spec}": {"price": {"input": N, "output": N}}}`,
  noModels:
    "No model is configured. Set OPENAI_API_KEY, or OPENAI_BASE_URL to a local server, or name one: agent chat -m SERVER:NAME.",
  known: "what is known of it",
  unlisted: ({ server, why }: { server: string; why: string }) => `${server} gave no list of its models: ${why}`,
  configured: "in your settings",
  maxOutput: ({ tokens }: { tokens: string }) => `says up to ${tokens} tokens`,
  price: ({ input, output }: { input: number; output: number }) => `${input} in, ${output} out for a million tokens`,
});
