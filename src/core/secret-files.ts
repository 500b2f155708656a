/** They show which settings there are, not what they are. */
const samples = new Set([".env.example", ".env.sample", ".env.template"]);

/** Files that hold secrets by custom: they may be named, but nothing in them is shown unasked. */
export function isSecretFile(name: string): boolean {
  const folded = name.toLowerCase();
  return folded.startsWith(".env") && !samples.has(folded);
}
