/** Programs whose settings can be taken over, by the names that are typed. Loaded to complete a word too: imports nothing. */
export const programs = ["claude", "codex", "gemini", "opencode", "vscode"] as const;

export type Program = (typeof programs)[number];
