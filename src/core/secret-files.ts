/** They show which settings there are, not what they are. */
const samples = /^(\.env\.)?(example|sample|template)(\.env)?$/;

/** Files and folders that hold secrets by custom (`.env`, `.env.local`, `.envs`, `prod.env`): nothing in them is shown unasked. */
export function isSecretFile(name: string): boolean {
  const folded = name.toLowerCase();
  return (folded.startsWith(".env") || folded.endsWith(".env")) && !samples.test(folded);
}
