/** Reads a prompt that came as an argument: of all signs the slash alone has its meaning of the chat there. */
export function givenPrompt(prompt: string): { text: string; isCommand: boolean } {
  const text = prompt.trimStart();
  if (text.startsWith("//")) return { text: text.slice(1), isCommand: false };
  return { text: prompt, isCommand: text.startsWith("/") };
}
