/** The choices of a person for the sandbox: where it does not work `auto` does without, and with `required` no command is run. */
export const sandboxChoices = ["auto", "required", "off"] as const;
export type SandboxChoice = (typeof sandboxChoices)[number];
