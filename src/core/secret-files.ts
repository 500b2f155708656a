/** They show which settings there are, not what they are. */
export const secretSamples = [".env.example", ".env.sample", ".env.template"] as const;

const samples: ReadonlySet<string> = new Set(secretSamples);

/** Files that hold secrets by custom: they may be named, but nothing in them is shown unasked. */
export function isSecretFile(name: string): boolean {
  const folded = name.toLowerCase();
  return folded.startsWith(".env") && !samples.has(folded);
}
