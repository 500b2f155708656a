import { room } from "../room.ts";

/** Models, as they are listed and opened. */
export const models = room({
  serverHint: ({ name }: { name: string }) =>
    `name it in config.json: "servers": {"${name}": {"baseUrl": "http://…/v1"}}`,
  needsPrice: ({ name, spec }: { name: string; spec: string }) => `${name} needs the price of ${spec}`,
  priceHint: ({ spec }: { spec: string }) =>
    `say it in config.json, for a million tokens: "models": {"${spec}": {"price": {"input": N, "output": N}}}`,
});
