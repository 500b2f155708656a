import { room } from "../room.ts";

/** The words that a shell shows beside those that it completes. */
export const completion = room("completion", {
  demo: "a tour, without a key",
  openai: "a model of an OpenAI-compatible server",
  script: "a file of replies",
  print: "one message, as agent run",
  resume: "go on with a session, as agent resume",
});
