/** What a prompt that came as an argument says: of all signs the slash alone means there what it means in the chat. */
export function givenPrompt(prompt: string): { text: string; isCommand: boolean } {
  const text = prompt.trimStart();
  if (text.startsWith("//")) return { text: text.slice(1), isCommand: false };
  return { text: prompt, isCommand: text.startsWith("/") };
}
