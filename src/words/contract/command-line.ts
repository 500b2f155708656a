/** The errors of commander on a command line that it cannot take. It has no codes for the data of these: they are known by their words. */
export const commandLine = {
  missingArgument: ({ name }: { name: string }) => `error: missing required argument '${name}'`,
  missingValue: ({ flags }: { flags: string }) => `error: option '${flags}' argument missing`,
  missingOption: ({ flags }: { flags: string }) => `error: required option '${flags}' not specified`,
  unknownOption: ({ flag }: { flag: string }) => `error: unknown option '${flag}'`,
  unknownOptionNear: ({ flag, near }: { flag: string; near: string }) =>
    `error: unknown option '${flag}'\n(Did you mean ${near}?)`,
  unknownOptionNearSome: ({ flag, near }: { flag: string; near: string }) =>
    `error: unknown option '${flag}'\n(Did you mean one of ${near}?)`,
  unknownCommand: ({ name }: { name: string }) => `error: unknown command '${name}'`,
  unknownCommandNear: ({ name, near }: { name: string; near: string }) =>
    `error: unknown command '${name}'\n(Did you mean ${near}?)`,
  unknownCommandNearSome: ({ name, near }: { name: string; near: string }) =>
    `error: unknown command '${name}'\n(Did you mean one of ${near}?)`,
};
