import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { type Connection, NotSent, type Request, ServerEnded, ServerRefusal } from "./messages.ts";
import { type Era, envelopeOf, modernVersion, serverIn } from "./modern/envelope.ts";
import { ModernConnection } from "./modern/modern-connection.ts";
import { shortLine } from "./request-of.ts";

/** Versions of the protocol with a session, in which what is used here is the same. */
const legacyVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/** The facts by which we show ourselves to a server. */
export interface Hello {
  /** The version by which the program calls itself to the server. */
  version: string;
  /** A person is there whom it may ask. */
  mayAsk: boolean;
  /** It may ask the model, where a person is there. */
  mayAskModel: boolean;
  /** It is spoken to over HTTP. */
  isReached: boolean;
  /** Its era when it was last asked; undefined where that is not known. */
  era: Era | undefined;
  toolsChanged(): void;
}

/** The words of a server on itself. */
export interface Met {
  connection: Connection;
  /** The era to speak to it in the next time. */
  era: Era;
  /** As it calls itself, with its version. */
  title: string;
  /** It says that it has these beside tools. */
  has: { prompts: boolean; resources: boolean };
  hasTools: boolean;
}

/** It ended by itself before it said how it speaks: some do so where they hear what they do not know. */
export class EndedAtProbe extends Error {
  override readonly name = "EndedAtProbe";
}

/**
 * Finds out how a server speaks, and begins to. One of which nothing is known is asked first (`server/discover`): one that speaks the newer protocol answers at
 * once, and any other answer, or none in a moment, is taken for an older one, which is then spoken to just as it always was, over the same connection. One that
 * is known to be older is not asked, unless it refuses to be spoken to so.
 * @throws EndedAtProbe; ServerRefusal, ServerEnded, NotSent; Error with why it cannot be spoken to
 */
export async function shakeHands(connection: Connection, hello: Hello): Promise<Met> {
  if (hello.era !== "legacy") return discover(connection, hello);
  try {
    return await initialize(connection, hello);
  } catch (error) {
    if (!isOfProtocol(error)) throw error;
    const found = await verdictOf(probe(connection, hello)).catch(() => undefined);
    if (found === undefined) throw error;
    return modern(connection, hello, found);
  }
}

/** By its own words, in an answer of the protocol or to a request that it did not know: it has not done it, and may do another. */
const isOfProtocol = (error: unknown): error is ServerRefusal =>
  error instanceof ServerRefusal && error.said.status !== 401 && error.said.status !== 403;

async function discover(connection: Connection, hello: Hello): Promise<Met> {
  let found: JsonObject | "legacy" | undefined;
  const verdict = verdictOf(probe(connection, hello)).then((said) => {
    found = said ?? "legacy";
  });
  try {
    await Promise.race([verdict, moment(limits.mcpProbe.most, verdict)]);
    if (typeof found === "object") return modern(connection, hello, found);
    const met = await initialize(connection, hello);
    // It was slow, and is asked anew the next time.
    return isFound(found) ? { ...met, era: "modern" } : met;
  } catch (error) {
    // What it said last is heard before its refusal of the other way counts.
    await new Promise((heard) => setImmediate(heard));
    if (isFound(found) && isOfProtocol(error)) return modern(connection, hello, found);
    const endedByItself = connection.why !== "" && (error instanceof ServerEnded || error instanceof NotSent);
    throw endedByItself && !hello.isReached ? new EndedAtProbe(error.message, { cause: error }) : error;
  }
}

const isFound = (found: JsonObject | "legacy" | undefined): found is JsonObject => typeof found === "object";

const probe = (connection: Connection, hello: Hello): Request =>
  connection.request("server/discover", { _meta: envelope(hello) });

/** So many milliseconds, or until the other is settled. */
function moment(ms: number, other: Promise<unknown>): Promise<void> {
  return new Promise((over) => {
    const timer = setTimeout(over, ms);
    const done = (): void => clearTimeout(timer);
    other.then(done, done);
  });
}

/**
 * Returns the words on itself of a server that speaks the newer protocol; undefined of one that does not, by whatever it answers.
 * @throws where it cannot be spoken to in any
 */
async function verdictOf({ answer }: Pick<Request, "answer">): Promise<JsonObject | undefined> {
  try {
    const said = await answer;
    const { supportedVersions: versions, capabilities } = said;
    return Array.isArray(versions) && versions.includes(modernVersion) && isJsonObject(capabilities) ? said : undefined;
  } catch (error) {
    if (error instanceof ServerEnded) return undefined;
    if (!isOfProtocol(error)) throw error;
    const others = otherVersions(error.said);
    if (others.length > 0 && !others.some((one) => one === modernVersion || legacyVersions.includes(one)))
      throw wrongVersion(others.join(", "));
    return undefined;
  }
}

const unsupported = -32_022;

/** Lists the versions that are named by a server that does not speak the one that it was asked for. */
function otherVersions({ code, data }: ServerRefusal["said"]): string[] {
  const supported = code === unsupported && isJsonObject(data) ? data["supported"] : undefined;
  return Array.isArray(supported) ? supported.filter((one) => typeof one === "string") : [];
}

const wrongVersion = (versions: string): Error =>
  new Error(`it speaks another version of the protocol (${shortLine(versions, 40)})`);

const envelope = (hello: Hello): JsonObject =>
  envelopeOf(clientOf(hello), capabilitiesOf(hello, { elicitation: { form: {} } }));

const clientOf = ({ version }: Hello) => ({ name: "holdfast", version });

const capabilitiesOf = ({ mayAsk, mayAskModel }: Hello, elicitation: JsonObject): JsonObject => ({
  roots: {},
  ...(mayAsk ? elicitation : {}),
  ...(mayAsk && mayAskModel ? { sampling: {} } : {}),
});

function modern(of: Connection, hello: Hello, said: JsonObject): Met {
  const { isReached, toolsChanged } = hello;
  const connection = new ModernConnection(of, { envelope: envelope(hello), mirrors: isReached, toolsChanged });
  const { capabilities } = said;
  const tools = isJsonObject(capabilities) ? capabilities["tools"] : undefined;
  if (isJsonObject(tools) && tools["listChanged"] === true) connection.listen();
  return { connection, era: "modern", title: titleOf(serverIn(said)), ...offered(capabilities) };
}

async function initialize(connection: Connection, hello: Hello): Promise<Met> {
  const { answer } = connection.request("initialize", {
    protocolVersion: connection.protocol,
    // In all versions an empty one means forms, and nothing else.
    capabilities: capabilitiesOf(hello, { elicitation: {} }),
    clientInfo: clientOf(hello),
  });
  const { protocolVersion, serverInfo, capabilities } = await answer;
  if (typeof protocolVersion !== "string" || !legacyVersions.includes(protocolVersion))
    throw wrongVersion(String(protocolVersion));
  connection.tell("notifications/initialized");
  return { connection, era: "legacy", title: titleOf(serverInfo), ...offered(capabilities) };
}

function offered(capabilities: Json | undefined): Pick<Met, "has" | "hasTools"> {
  const said = isJsonObject(capabilities) ? capabilities : {};
  const has = { prompts: isJsonObject(said["prompts"]), resources: isJsonObject(said["resources"]) };
  // One that says nothing of tools is asked for them all the same, unless it has something else.
  return { has, hasTools: isJsonObject(said["tools"]) || !(has.prompts || has.resources) };
}

function titleOf(serverInfo: Json | undefined): string {
  if (!isJsonObject(serverInfo)) return "";
  return [serverInfo["name"], serverInfo["version"]]
    .filter((one) => typeof one === "string")
    .join(" ")
    .slice(0, 200);
}
