import { limits } from "../core/limits.ts";
import { isThisMachine } from "../net/addresses.ts";
import type { Server } from "./servers.ts";

/**
 * Milliseconds that this server may be silent before a request is given up: as it is set, else by whether it is on this machine, where
 * models that read a long prompt say nothing for minutes.
 * @param baseUrl where it is asked
 */
export const silenceOf = ({ silenceMs }: Pick<Server, "silenceMs">, baseUrl: string): number =>
  silenceMs ?? (isThisMachine(new URL(baseUrl).hostname) ? limits.localSilence : limits.silence).most;

const margin = 60_000;

/** Milliseconds without a word, signs of life or not, after which a reply is cut: later than silence, which may be tried again. */
export const noProgressOf = (silenceMs: number): number => Math.max(limits.noProgress.most, silenceMs + margin);
