// Keeps words 2.
/**
 * The sentences of one part of the program for the person, in the language of this process. They are asked for where they are used, never
 * kept from when a module is loaded.
 */
export const room =
  <Words extends object>(words: Words): (() => Words) =>
  () =>
    words;
