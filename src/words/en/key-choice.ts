import { room } from "../room.ts";

/** The choices that one can begin with where the model has no key. */
export const keyChoice = room("keyChoice", {
  /** `why`: what is missing. */
  title: ({ why }: { why: string }) => `${why}. Begin with:`,
  tour: "a tour: a scripted model, on a copy of a small project",
  here: ({ server, url, models }: { server: string; url: string; models: number }) =>
    `${server}, at ${url}: ${models} ${models === 1 ? "model" : "models"}`,
  keyed: ({ server, key }: { server: string; key: string }) => `${server}: ${key} is set`,
  typed: ({ server }: { server: string }) => `a key for ${server}, typed now and kept nowhere`,
  none: "(no Ollama or LM Studio answers on this machine)",
  ask: ({ most }: { most: number }) => `1 to ${most}, ctrl+c leaves: `,
  noNumber: ({ most }: { most: number }) => `there is no such number: 1 to ${most}, or ctrl+c leaves`,
  key: ({ key }: { key: string }) => `${key} (it is not shown): `,
  /** The words on where it is to be kept. */
  keepsKey: ({ key }: { key: string }) => `next time: export ${key}=… before it`,
  noKey: "that is no key: it is one word of letters, digits and signs, without blanks",
  asking: ({ server }: { server: string }) => `${server} is asked for its models…`,
  notListed: ({ server, why }: { server: string; why: string }) => `${server} gave no list of models: ${why}`,
  noneNamed: "there is none in it",
  more: ({ count }: { count: number }) => `(${count} more: type a part of the name)`,
  askModel: ({ most }: { most: number }) => `model, by name or 1 to ${most}: `,
  noModel: ({ typed }: { typed: string }) => `no model of it has ${JSON.stringify(typed)} in its name`,
  /** The command that begins so without a question. */
  nextTime: ({ command }: { command: string }) => `next time: ${command}`,
});
