/**
 * The address of a call outside its own session: the name `c3` is one session's alone, and a session may drive others whose calls are asked
 * about beside its own.
 */
export interface CallRef {
  session: string;
  call: string;
}

/** A call beside its session, as what tells of calls has it: flat, or the call whole. */
export type Addressed =
  | { readonly session: string; readonly callId: string }
  | { readonly session: string; readonly call: { readonly callId: string } };

/** The address of a call that is asked about, waits, is at work or is over; of an event, that of the call of which it tells. */
export const refOf = (of: Addressed): CallRef => ({
  session: of.session,
  call: "call" in of ? of.call.callId : of.callId,
});

export const sameCall = (one: CallRef, other: CallRef | undefined): boolean =>
  one.call === other?.call && one.session === other.session;

/** `SESSION:c3`, as a person reads and types it; also the key of what is kept by call. */
export const addressOf = ({ session, call }: CallRef): string => `${session}:${call}`;

/** The name that a person may type for a call. Without a session the one that is asked for is meant. */
export interface CallName {
  session?: string;
  call: string;
}

/** The call that a name means where `home` is the session that is asked for. */
export const namedIn = (home: string, { session = home, call }: CallName): CallRef => ({ session, call });

/** The shortest name of a call where `home` is the session that is asked for: `c3` there, `SESSION:c3` elsewhere. */
export const nameIn = (home: string, ref: CallRef): string => (ref.session === home ? ref.call : addressOf(ref));

/**
 * Reads `c3`, `c3@DIGEST`, `SESSION:c3` and `SESSION:c3@DIGEST`. A session's id may hold `@` and `:` itself, so the last `:` parts them, and a
 * digest is what stands behind the last `@` after it.
 * @returns undefined where a part is empty, or there are two digests
 */
export function readCallName(text: string): (CallName & { digest?: string }) | undefined {
  const colon = text.lastIndexOf(":");
  const [call = "", digest, ...rest] = text.slice(colon + 1).split("@");
  if (colon === 0 || call === "" || digest === "" || rest.length > 0) return undefined;
  return {
    ...(colon < 0 ? {} : { session: text.slice(0, colon) }),
    call,
    ...(digest === undefined ? {} : { digest }),
  };
}
