import { isJsonObject, type Json, type JsonObject } from "../../../core/json.ts";

/** The version from which on there is no session: each request says itself what it is of. Versions before it begin by `initialize`. */
export const modernVersion = "2026-07-28";

/** The era of the protocol that servers speak: that version, or those before it. The protocol's own words for it. */
export type Era = "modern" | "legacy";

/** The request by which a server says what it changes. Its answer comes when all is over. */
export const listening = "subscriptions/listen";

const versionKey = "io.modelcontextprotocol/protocolVersion";

/** Makes the part that goes along with each request: `_meta` of its parameters. */
export const envelopeOf = (client: { name: string; version: string }, capabilities: JsonObject): JsonObject => ({
  [versionKey]: modernVersion,
  "io.modelcontextprotocol/clientInfo": client,
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});

/** Finds the description of itself that a server put into its answer. */
export const serverIn = ({ _meta: meta, serverInfo }: JsonObject): Json | undefined =>
  (isJsonObject(meta) ? meta["io.modelcontextprotocol/serverInfo"] : undefined) ?? serverInfo;

export const metaOf = (params: Json | undefined): JsonObject => {
  const meta = isJsonObject(params) ? params["_meta"] : undefined;
  return isJsonObject(meta) ? meta : {};
};

/** Tells whether a request is of that version. @param params its parameters */
export const isModern = (params: Json | undefined): boolean => Object.hasOwn(metaOf(params), versionKey);
