/** The same of another language: as many texts in a row, functions of the same data. */
type Said<English> = English extends string
  ? string
  : English extends (...about: infer About) => infer Told
    ? (...about: About) => Said<Told>
    : English extends object
      ? { readonly [Name in keyof English]: Said<English[Name]> }
      : English;

// Keeps words 4.
/**
 * The form that a room of `zh/` must have to be that of `en/` in another language: a sentence that is missing, or asks for more, does not
 * compile.
 */
export type Twin<Room extends () => object> = Said<ReturnType<Room>>;
