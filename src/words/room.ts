/** The words of another language than English, by the names of their rooms. */
export type OtherWords = Readonly<Record<string, object>>;

/** The program's files have a copy of this module each; what the process speaks is one thing. */
const spoken = Symbol.for("holdfast.words");
const everywhere = globalThis as { [spoken]?: OtherWords | undefined };

/** From now on this process speaks these words; without any, English. Called before anything is said. */
export function speak(words: OtherWords | undefined): void {
  everywhere[spoken] = words;
}

/** Returns the words that this process speaks; undefined: English. */
export const otherWords = (): OtherWords | undefined => everywhere[spoken];

// Keeps words 2.
/**
 * The sentences of one part of the program for the person, in the language of this process. They are asked for where they are used, never
 * kept from when a module is loaded.
 * @param name as what the room is exported, by which another language has its twin (words 4)
 */
export const room =
  <Words extends object>(name: string, words: Words): (() => Words) =>
  () =>
    (everywhere[spoken]?.[name] as Words | undefined) ?? words;
