import { isSending } from "../core/http-methods.ts";
import type { Undici } from "./load-undici.ts";

type Dispatch = InstanceType<Undici["Agent"]>["dispatch"];

/**
 * Has one request of a dispatcher go out once, where it asks the host to do something: whatever is answered (fetch by itself sends one again that was answered by
 * 421), and if its connection breaks.
 * @param goesOut told before its first byte goes over a connection that is open: until then the host has heard nothing
 * @returns whether it began to go out
 */
export function watchSending(dispatcher: { dispatch: Dispatch }, goesOut: () => void = () => undefined): () => boolean {
  const dispatch = dispatcher.dispatch.bind(dispatcher);
  let [isTaken, isSent] = [false, false];
  const sends = (): void => {
    isSent = true;
    goesOut();
  };
  dispatcher.dispatch = (options, handler) => {
    const isOnce = isSending(options.method);
    if (isTaken && isOnce) throw new Error("it was answered by 421, and is not sent again");
    isTaken = true;
    const { onConnect } = handler;
    if (onConnect === undefined) sends();
    else
      handler.onConnect = (abort, ...given) => {
        if (isSent && isOnce) return abort(new Error("its connection broke, and it is not sent again"));
        sends();
        onConnect.call(handler, abort, ...given);
      };
    return dispatch(options, handler);
  };
  return () => isSent;
}
