import { withoutUnseen } from "../../../core/unseen.ts";

/** In any word: `dbPassword1`, `mypasswd`. */
const withinWords =
  "pass ?words?(?!less)|passwd|pass ?phrase|passcode|api ?key|(?:client|app|shared|master) ?secret|passwort|kennwort";
/** Of what is counted and not given. */
const counted =
  "(?<!(?:max|maximum|min|minimum|total|input|output|prompt|completion|(?:number|count|limit|amount|budget) of) )";
/** Words for things that nobody but their owner is to know, in languages that people are asked in. */
const words = [
  "pass ?(?:wd|code|key)s?|pwd|psw|your (?:pass|keys?)|secrets?|creds?|credentials?|bearer|jwt",
  "(?:api|access|auth|private|secret|ssh|gpg|pgp|encryption|decryption|signing|licen[cs]e|account|wallet|master|service|security|deploy|recovery) ?keys?",
  `${counted}[a-z]*tokens?(?! (?:per|limit|count|budget|usage|window|price))`,
  "session (?:id|cookie|key)s?|pins?|pin ?codes?|otps?|totp|2 ?fa|mfa|one ?time ?codes?|(?:verification|security|recovery|backup|login|authenticator|access|2 ?fa|sms) ?codes?",
  "cv[vc]2?|(?:credit|debit) ?cards?|card ?numbers?|seed ?phrase|recovery ?phrase|mnemonic|ssn|social ?security",
  "contrase(?:ñ|n\u0303)a|clave|mot ?de ?passe|senha|wachtwoord|hasło|пароль|parola",
];
const secretWords = new RegExp(
  `${withinWords}|(?<![\\p{L}\\p{N}])(?:${words.join("|")})(?![\\p{L}\\p{N}])|密码|密碼|口令|令牌|密钥|パスワード|暗証番号|비밀번호`,
  "u",
);
/** The words that mean a secret where a name ends in one of them, unless the word before says what else it is. */
const secretName =
  /(?<!(?:issue|ticket|project|primary|foreign|sort|partition|public|map|object|lookup|cache|idempotency|row|column|dictionary|json|shortcut|space|board|jira|group|cluster) )(?<![\p{L}\p{N}])(?:pass|keys?|pw|cookies?)$/u;

/** Letters of other scripts that are drawn as Latin ones. */
const drawnAs: Record<string, string> = Object.fromEntries(
  [..."асеорхуіѕјһԁкѵαοιρν"].map((letter, at) => [letter, [..."aceopxyisjhdkvaoipv"][at] ?? letter]),
);
const latinWord = /[\p{L}\p{M}\p{N}]+/gu;

/** One spelling of it: `apiKey`, `API_KEY` and full-width letters are `api key`; what nobody sees is left out. */
function plainly(text: string): string {
  const split = withoutUnseen(text.normalize("NFKC"))
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_\-\s\u2010-\u2015/]+/gu, " ")
    .toLowerCase();
  return split.replace(latinWord, (word) => {
    const drawn = [...word].map((letter) => drawnAs[letter] ?? letter).join("");
    return /^[a-z0-9]+$/u.test(drawn) ? drawn : word;
  });
}

const asking =
  "(?:enter|type|give|tell|provide|paste|input|insert|put|include|share|send|use|write|supply|confirm|submit|specify|fill|reply|respond|answer|upload|authenticate|verify|unlock|log ?in|sign ?in|set)";
const toldNotTo = new RegExp(
  `(?:do not|don['’]?t|never|please no|without) ?${asking}(?:ing)?(?<rest>[^.;:!?()\\n]*)`,
  "gu",
);
const asksNow = new RegExp(`(?<![\\p{L}])${asking}(?:ing)?(?![\\p{L}])`, "u");

/** Without the places where it says not to give such a thing, as far as nothing is asked for again in the same breath. */
const withoutWarnings = (text: string): string =>
  text.replace(toldNotTo, (all, ...groups) => {
    const { rest = "" } = groups.at(-1) as { rest?: string };
    return asksNow.test(rest) ? all : " ";
  });

/** Tells whether a description of a field looks as though a password, a token, a key or a PIN were to be given. */
export const looksSecret = (text: string): boolean => secretWords.test(withoutWarnings(plainly(text)));

/** The same of its name or its title. */
export const isSecretName = (text: string): boolean => looksSecret(text) || secretName.test(plainly(text).trim());

const wanted =
  /(?<![\p{L}])(?:needs?|needed|requires?|required|missing|necessary|expects?|expected|wants?|wanted|please|awaits?|awaiting|waiting for|must have)(?![\p{L}])/u;
const not = /(?<![\p{L}])(?:no|not|without|never|nor|isn['’]t|don['’]t)(?![\p{L}])/u;
/** A question for one: what it is, whether they have it. */
const askedAfter =
  /(?<![\p{L}])(?:your|what|what['’]?s|have|know|got|(?:can|may|could|shall) (?:i|we) (?:have|get|see))(?![\p{L}])/u;
const small = /(?<![\p{L}])(?:your|the|a|an|my|our|new|old|current|its?|is|and|or|for|of|to|in|here|now)(?![\p{L}])/gu;
const stateOf = /(?:ed|ing|id|ok|works|found|out|set|run|done)$/u;

/** Hardly more than its name, as stands before a field: `Password:`, `GitHub token`. */
function isLabel(clause: string): boolean {
  const rest = clause.replace(new RegExp(secretWords, "gu"), " ").replace(small, " ");
  const others = rest.match(latinWord) ?? [];
  return others.length <= 2 && !others.some((word) => stateOf.test(word));
}

/** Tells whether a message bids the person give one: it may well speak of one. */
export function bidsSecret(message: string): boolean {
  const texts = [message, ...message.split("\n")].map((text) => withoutWarnings(plainly(text)));
  return texts.flatMap((text) => text.match(/[^.;:!?。()]+[.;:!?。()]?/gu) ?? []).some(bids);
}

function bids(clause: string): boolean {
  if (!secretWords.test(clause)) return false;
  const at = clause.search(asksNow);
  if (at >= 0 && secretWords.test(clause.slice(at))) return true;
  if (not.test(clause)) return false;
  return isLabel(clause) || wanted.test(clause) || (clause.endsWith("?") && askedAfter.test(clause));
}
