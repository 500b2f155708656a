import { loadApart } from "../core/load-apart.ts";

export type Undici = typeof import("./undici.ts");

/** @throws PartGone where the program was updated since it was started */
export const loadUndici = (): Promise<Undici> => loadApart("what gets web pages", () => import("./undici.ts"));
