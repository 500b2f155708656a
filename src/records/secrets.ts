import { escapeHtml } from "./html-text.ts";

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
 * Lists the secrets: values of environment variables whose name speaks of a secret (keys, tokens, passwords, webhooks,
 * addresses of databases), passwords of addresses in any variable, and registered values; of at least 6 characters. Of two with
 * the same value the first by name stands for both.
 */
export function secretsIn(env: Readonly<Record<string, string | undefined>>, registered: readonly string[]): Secret[] {
  const named = Object.entries(env)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, given]) => {
      const value = (given ?? "").trim();
      const whole = isSecretName(name) && !switchValue.test(value) ? [value] : [];
      return [...whole, ...whole.flatMap(partsOf), ...passwordsIn(value)].map((one) => ({ name, value: one }));
    });
  const others = registered.map((value, i) => ({ name: `SECRET_${i + 1}`, value }));
  const seen = new Set<string>();
  return [...named, ...others].filter(({ value }) => {
    const counts = value.length >= shortest && !seen.has(value);
    seen.add(value);
    return counts;
  });
}

/** A shorter line of a longer value is mostly none of the secret in it. */
const shortestLine = 16;

/** Lists the parts of a value that are secret by themselves, since a text may show it line by line, or only one field of it. */
function partsOf(value: string): string[] {
  const lines = value.split(/\r?\n|\\n/).map((line) => line.trim());
  const own =
    lines.length === 1 ? [] : lines.filter((line) => line.length >= shortestLine && !line.startsWith("-----"));
  return [...own, ...fieldsOf(value).flatMap((field) => [field, ...partsOf(field)])];
}

function fieldsOf(value: string): string[] {
  if (!value.startsWith("{")) return [];
  try {
    const fields = Object.entries(JSON.parse(value) as Record<string, unknown>);
    return fields.flatMap(([name, field]) => (typeof field === "string" && isSecretName(name) ? [field.trim()] : []));
  } catch {
    return []; // no JSON
  }
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

/** As an address has it, whoever wrote it: forms and some programs escape more than others, in small letters or large ones. */
function addressForms(value: string): string[] {
  const usual = encodeURIComponent(Buffer.from(value, "utf8").toString("utf8"));
  const strict = usual.replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  const inForm = new URLSearchParams({ _: value }).toString().slice(2);
  const forms = [usual, strict, inForm, inForm.replaceAll("+", "%20"), strict.replaceAll("%20", "+")];
  return [...forms, ...forms.map((form) => form.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()))];
}

/** As JSON has it, in a text of JSON too, and as writers have it that escape what a page could take for its own. */
function jsonForms(value: string): string[] {
  const usual = JSON.stringify(value).slice(1, -1);
  const code = (sign: string): string => `\\u00${sign.charCodeAt(0).toString(16)}`;
  const escaped = [/[<>&]/g, /[<>&']/g, /[<>&'=]/g].map((signs) => usual.replace(signs, code));
  const forms = [usual, usual.replaceAll("/", "\\/"), ...escaped];
  return [...forms, ...forms.map((form) => JSON.stringify(form).slice(1, -1))];
}

/** Lists the forms in which a value may stand inside other text: as it is, inside JSON, an address or a page. */
export const formsOf = (value: string): string[] => [
  ...new Set([value, ...jsonForms(value), ...addressForms(value), escapeHtml(value)]),
];

/** The same in base64 and in hexadecimal, which programs break into lines. */
export function codedForms(value: string): string[] {
  const hex = Buffer.from(value, "utf8").toString("hex");
  return [hex, hex.toUpperCase(), ...base64Of(value)];
}
