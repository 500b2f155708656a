import type { ChildEnd, ChildSpec } from "../../../core/child-session.ts";
import type { Json } from "../../../core/json.ts";
import { childSchema, type NumberedAsk } from "../messages.ts";

interface Waiting {
  resolve(end: Json): void;
  reject(error: Error): void;
}

/** Sessions that tools of this process have asked the session for, and that it has not told the end of. */
export class AskedChildren {
  readonly #say: (said: object) => void;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(say: (said: object) => void) {
    this.#say = say;
  }

  /** @param id of the ask that the tool works at @throws TypeError where it says of the child what it may not */
  async run(id: number, given: ChildSpec, signal?: AbortSignal): Promise<ChildEnd> {
    const spec = checked(given);
    this.#count += 1;
    const child = this.#count;
    const end = new Promise<Json>((resolve, reject) => this.#waiting.set(child, { resolve, reject }));
    this.#say({ id, child, spec });
    const stop = (): void => this.#say({ id, endChild: child });
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted === true) stop();
    try {
      return (await end) as unknown as ChildEnd;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
  }

  answer(told: Extract<NumberedAsk, { do: "child" }>): void {
    const waiting = this.#waiting.get(told.child);
    this.#waiting.delete(told.child);
    if ("ok" in told) waiting?.resolve(told.ok);
    else waiting?.reject(new Error(told.error));
  }
}

function checked(given: ChildSpec): object {
  const { success, data, error } = childSchema.safeParse(given);
  if (success) return data;
  const wrong = error.issues.map((issue) =>
    issue.code === "unrecognized_keys"
      ? `a tool of a file says no ${issue.keys.join(", ")} of a child; it says ${Object.keys(childSchema.shape).join(", ")}`
      : `${issue.path.join(".")} of a child: ${issue.message}`,
  );
  throw new TypeError(`runChild: ${wrong.join("; ")}`);
}
