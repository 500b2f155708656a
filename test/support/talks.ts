import { type Answer, type Reply, type SeenRequest, says } from "./model-server.ts";

/** What each session's model says, a reply a step, by its session's first words. */
export type Talks = Readonly<Record<string, readonly (Reply | Promise<Reply>)[]>>;

/** The first words of the session that asks. */
export const firstWords = ({ body }: Pick<SeenRequest, "body">): string =>
  String(body.messages.find(({ role }) => role === "user")?.content);

/** The sessions of a tree talk side by side: each request is answered by whose it is and how far that one has come. */
export const answersIn =
  (talks: Talks): Exclude<Answer, Reply> =>
  (request) =>
    talks[firstWords(request)]?.[request.body.messages.filter(({ role }) => role === "assistant").length] ??
    says("Nothing more.");

/** What a model says once the test has it do so. */
export function replyLater(): { reply: Promise<Reply>; say(reply: Reply): void } {
  let say: (reply: Reply) => void = () => undefined;
  const reply = new Promise<Reply>((resolve) => {
    say = resolve;
  });
  return { reply, say };
}
