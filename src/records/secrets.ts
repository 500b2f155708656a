/** A value that must not leave, and the name that takes its place as `‹name›`. */
export interface Secret {
  name: string;
  value: string;
}

/** Shorter values are words of the language: replacing them everywhere would only spoil the text. */
const shortest = 6;

/** Ends of names, with nothing between the words: PGPASSWORD, GITHUBTOKEN. */
const ending = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)$/i;

/** Words of names, wherever they stand: AWS_ACCESS_KEY_ID, SLACK_WEBHOOK_URL, GH_PAT. */
const words: ReadonlySet<string> = new Set([
  ...[
    "key",
    "keys",
    "apikey",
    "token",
    "tokens",
    "secret",
    "secrets",
    "password",
    "passwords",
    "passwd",
    "pass",
    "pwd",
  ],
  ...["passphrase", "passcode", "pat", "pin", "otp", "credential", "credentials", "creds", "auth", "authorization"],
  ...["bearer", "jwt", "cookie", "cookies", "webhook", "webhooks", "dsn", "sas", "hmac", "salt", "pepper", "mnemonic"],
]);

/** Names whose value is where a service is and, mostly, how to get in. */
const address =
  /(^|_)(DATABASE|DB|POSTGRES|POSTGRESQL|PG|MYSQL|MONGO|MONGODB|REDIS|AMQP|RABBITMQ|BROKER|CONNECTION)_(URL|URI|STRING)$/i;

/** Folders of the shell, and places of secrets: a path is none. */
const harmless = /^(PWD|OLDPWD)$|(SOCK|SOCKET|FILE|PATH|DIR|HOME|FOLDER)$/i;

/** Values of switches, which a name such as *_AUTH has too. */
const switchValue =
  /^(true|false|enabled?|disabled?|default|required|optional|always|never|auto|basic|digest|bearer)$/i;

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z\d]+/);

const isSecretName = (name: string): boolean =>
  !harmless.test(name) && (ending.test(name) || address.test(name) || wordsOf(name).some((word) => words.has(word)));

/** The password that an address carries, as it stands there and decoded; its user too where that is all there is: a token. */
function passwordsIn(value: string): string[] {
  if (!URL.canParse(value)) return [];
  const { password, username } = new URL(value);
  const raw = password === "" ? username : password;
  if (raw === "") return [];
  try {
    return [decodeURIComponent(raw), raw];
  } catch {
    return [raw];
  }
}

/**
 * What counts as secret: values of environment variables whose name speaks of a secret (keys, tokens, passwords, webhooks,
 * addresses of databases), passwords of addresses in any variable, and registered values; of at least 6 characters. Of two with
 * the same value the first by name stands for both.
 */
export function secretsIn(env: Readonly<Record<string, string | undefined>>, registered: readonly string[]): Secret[] {
  const named = Object.entries(env)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, given]) => {
      const value = (given ?? "").trim();
      const whole = isSecretName(name) && !switchValue.test(value) ? [value] : [];
      return [...whole, ...passwordsIn(value)].map((one) => ({ name, value: one }));
    });
  const others = registered.map((value, i) => ({ name: `SECRET_${i + 1}`, value }));
  const seen = new Set<string>();
  return [...named, ...others].filter(({ value }) => {
    const counts = value.length >= shortest && !seen.has(value);
    seen.add(value);
    return counts;
  });
}

/** Fewer characters of base64 stand for too few bytes to say anything. */
const shortestCore = 7;

/** A value as base64 has it, wherever among other bytes it began: without the characters that its neighbours have a part in. */
function base64Of(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  return [0, 1, 2].flatMap((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const whole = Math.floor(((before + bytes.length) * 8) / 6);
    const core = text.slice(Math.ceil((before * 8) / 6), whole);
    return core.length < shortestCore ? [] : [core, core.replaceAll("+", "-").replaceAll("/", "_")];
  });
}

/** How a value may stand inside other text: as it is, inside a JSON string, inside an address, in base64, in hexadecimal. */
export function formsOf(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const hex = bytes.toString("hex");
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(bytes.toString("utf8")),
    hex,
    hex.toUpperCase(),
    ...base64Of(value),
  ];
}
