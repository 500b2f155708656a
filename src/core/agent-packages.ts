/**
 * The packages that the agent runs on and a program that only uses tools can do without: optional peers of the package, in the lowest versions of the
 * ranges that package.json names, with which it is built and tested.
 */
export const agentPackages = {
  "@langchain/core": "1.2.13",
  "@langchain/langgraph": "1.4.17",
  "@langchain/langgraph-checkpoint": "1.1.5",
  "@langchain/openai": "1.5.8",
} as const;

/** Thrown where a part of the agent is first needed and one of `agentPackages` is not installed. */
export class MissingPackage extends Error {
  override readonly name = "MissingPackage";
}

const notFound = /Cannot find (?:package|module) '(@langchain\/[^'/]+)/;

/** Loads a part of the agent. @throws MissingPackage, which names the command that installs what is missing. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const missing = cause instanceof Error ? notFound.exec(cause.message)?.[1] : undefined;
    if (missing === undefined) throw cause;
    const wanted = Object.entries(agentPackages).map(([name, version]) => `${name}@${version}`);
    const message = `the agent needs ${missing}, which is not installed: npm install ${wanted.join(" ")}`;
    throw new MissingPackage(message, { cause });
  }
}
