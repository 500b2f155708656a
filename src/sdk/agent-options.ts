import type { JsonObject } from "../core/json.ts";
import { schemaProblem } from "../core/json-schema/keywords.ts";
import type { GivenSecrets } from "../core/secrets/given-secrets.ts";
import type { ModelEntry } from "../model/model-entries.ts";
import type { Model, ToolChoice, ToolFormat } from "../model/port.ts";
import type { ServerSettings } from "../model/servers.ts";
import type { Mode, Policy } from "../policy/types.ts";
import type { ToolRegistry, ToolSource } from "../tools/registry.ts";

export interface AgentOptions {
  /** Absolute path of the folder it works in. */
  workspace: string;
  /** `SERVER:NAME`, `demo` or `script:FILE`, or a model of your own; such a one serves all sessions. */
  model: string | Model;
  /**
   * In the place of the default tools; beside them where `createDefaultTools` is among them, and then one of your own takes the place of the
   * one with its name. It is judged as what it is: by the risk and the effect that it says of itself. Of a class or a factory each call has an instance of its own, which is disposed with it, beside
   * the one that each session describes it by; a tool object and what is in a registry is shared, and is disposed when the last of
   * the sessions that use it is closed. What is put into a registry while a session runs is offered with the next request.
   */
  tools?: readonly ToolSource[] | ToolRegistry;
  /** `"memory"` (the default: all is gone with `close`), or the path of a file, which is made where it is not there. */
  store?: string;
  /** Default `ask`; a session may have another. */
  mode?: Mode;
  /** Rules in force now; none by default, so that the risk table decides. No file is read for it. */
  policy?(at: { session: string; workspace: string; mode: Mode }): Policy | Promise<Policy>;
  /** By default made of what lies in the workspace: its instructions and its git branch. */
  systemPrompt?(): Promise<string>;
  /** The services that tools find in their context; a session may have others, and more. */
  services?: Readonly<Record<string, unknown>>;
  /**
   * The settings that the caller's own tools find in `ctx.config`, a frozen copy; the agent's own tools have no settings. An approval is bound to
   * them: where they are others when an older session is gone on with, a call that waits is asked about anew.
   */
  config?: JsonObject;
  /** The same for the tool of that name alone, beside `config` and in the place of its keys: plain JSON, 64,000 bytes a tool at the most. */
  toolSettings?: Readonly<Record<string, JsonObject>>;
  /** The person's identity to tools (`uid` in their context); it is in no record. A session may have another. */
  uid?: string;
  /**
   * The URL of the page that is open in the browser that the tools work with; undefined where none is. It is asked for before each request and each
   * call, by two seconds at the most: tools with `urlPatterns` are offered where it fits, and an approval is bound to the page it was given on.
   */
  page?(at: { session: string }): string | undefined | Promise<string | undefined>;
  /**
   * The secrets that calls may be given and the model knows by name alone, for all sessions; each use is asked, by `policy` or in the question. One
   * that cannot be a secret (a short value, the name of a setting) is a TypeError when the first session is opened.
   */
  secrets?: GivenSecrets;
  /** Steps from one message to the end of its turn, at the most. Default 50. */
  maxSteps?: number;
  /** `required`: until the turn's first call; `none`: a call that the model makes all the same is not run. Default `auto`. */
  toolChoice?: ToolChoice;
  /** Tools by which the model ends a turn are offered in every turn; with `required` or `outputSchema` they always are. */
  endTools?: boolean;
  /**
   * JSON Schema (draft 7 or 2020-12) of what each message is to be answered with: `turn_ended.output`. It is stored with the turn; after
   * three tries that do not fit the turn has failed.
   */
  outputSchema?: JsonObject;
  /** Milliseconds for a call whose tool says no `timeoutMs`. Default ten minutes. */
  toolTimeoutMs?: number;
  /** The way in which the model calls tools. Default: what `models` says, else the protocol's own way. */
  toolFormat?: ToolFormat;
  /** The most that a turn may cost each time it is run, in the currency of the model's price, which has to be known. */
  maxCost?: number;
  /** The facts known of models, by spec, in which a `*` stands for any text. */
  models?: Readonly<Record<string, ModelEntry>>;
  /** Servers by name, beside those that are known, and what is to be other of these: `{ NAME: { baseUrl, apiKeyEnv } }`. */
  servers?: Readonly<Record<string, ServerSettings>>;
  /** Characters that the model gets of one call at the most; `false`: what the tool says, else all. Default 30,000. */
  maxObserve?: number | false;
  /** `false`: nothing of a talk is left out or summed up to make room in the model's window. Default true. */
  compact?: boolean;
  /** The variables that a model's key, endpoint and proxies are read from; nothing else is. Default `process.env`. */
  env?: Readonly<Record<string, string | undefined>>;
}

/** The options of one session in the place of those that the agent was made with. */
export interface SessionOptions {
  /** As `AgentOptions.model`; it is this session's alone, and its children's. */
  model?: string | Model;
  mode?: Mode;
  /** The identity of this session's person to tools. */
  uid?: string;
  /** Beside the agent's, and in the place of those with the same name. */
  services?: Readonly<Record<string, unknown>>;
}

export interface ResumeOptions extends SessionOptions {
  /**
   * Takes the session from whoever drives it: a process that died on a machine of another name (a container that came back) cannot be
   * told from one that lives. One that does live writes nothing more, and its session ends with `SessionBusy`. Default false.
   */
  takeOver?: boolean;
}

/** @throws TypeError */
export function checkLimits({ outputSchema, maxObserve = false, ...numbers }: AgentOptions): void {
  const wrong = outputSchema === undefined ? undefined : schemaProblem(outputSchema);
  if (wrong !== undefined) throw new TypeError(`outputSchema: ${wrong}`);
  if (maxObserve !== false && !(Number.isSafeInteger(maxObserve) && maxObserve >= 1))
    throw new TypeError(
      `maxObserve must be a whole number of characters from 1 on, or false for all, not ${maxObserve}`,
    );
  for (const name of ["toolTimeoutMs", "maxCost"] as const)
    if (!((numbers[name] ?? 1) > 0)) throw new TypeError(`${name} must be above 0, not ${numbers[name]}`);
}
