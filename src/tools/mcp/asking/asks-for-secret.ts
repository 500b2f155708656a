import { withoutUnseen } from "../../../core/unseen.ts";

/** What stands for what nobody but its owner is to know, in languages that people are asked in. */
const secretWords =
  /(?<![\p{L}\p{N}])(?:pass ?(?:word|wd|phrase|code)s?|pwd|secrets?|(?:api|access|auth|private|secret|ssh|encryption|signing|licen[cs]e) ?keys?|api ?tokens?|(?:access|auth|bearer|refresh) ?tokens?|token|credentials?|pin|otp|totp|2fa|mfa|one ?time ?codes?|(?:verification|security|recovery|backup|login|authenticator) ?codes?|cv[vc]2?|(?:credit|debit) ?cards?|card ?numbers?|seed ?phrase|recovery ?phrase|mnemonic|ssn|social ?security|passwort|kennwort|contrase(?:ñ|n\u0303)a|clave|mot ?de ?passe|senha|wachtwoord|hasło|пароль)(?![\p{L}\p{N}])|密码|密碼|口令|パスワード|暗証番号|비밀번호/u;

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
  "(?:enter|type|give|tell|provide|paste|input|insert|put|include|share|send|use|write|supply|confirm|submit)";
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

/** Whether what names or describes a field looks as though a password, a token, a key or a PIN were to be given. */
export const looksSecret = (text: string): boolean => secretWords.test(withoutWarnings(plainly(text)));

/** Whether a message bids the person give one: it may well speak of one. */
export function bidsSecret(message: string): boolean {
  const clauses = withoutWarnings(plainly(message)).split(/[.;:!?()\n]/u);
  return clauses.some((clause) => {
    const at = clause.search(asksNow);
    return at >= 0 && secretWords.test(clause.slice(at));
  });
}
