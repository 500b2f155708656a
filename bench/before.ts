/**
 * What each row was before there were commands, the web, tools of one's own, other models and long talks (commit b8162f1), on the machine of the
 * table in the same hour: the figure, and its ratio to what stands beside it. By the row's name.
 */
export const before: Readonly<Record<string, string>> = {
  "agent --version": "28 ms, 1.31 x",
  "agent --help": "28 ms, 1.29 x",
  "chat: prompt on the screen": "27 ms, 1.20 x",
  "chat: first request of a message typed at once": "222 ms, 9.84 x",
  "chat: memory before the first message": "93 MB",
  "agent run, one step": "264 ms, 12.79 x",
  "agent run, one step, installed package": "284 ms, 13.12 x",
  "grep tool over 50,000 files": "161 ms, 1.02 x",
  "agent run, 200 steps": "2.50 s, 3.40 x",
  "a step, the first 50": "14.2 ms, 4.26 x",
  "a step, the last 50": "11.4 ms, 2.75 x",
  "memory after 200 steps": "171 MB, 1.54 x",
  "store after 200 steps": "312 kB, 1.11 x",
  "a step at 100 messages of 1 kB": "11.3 ms, of it ours 9.2 ms, 5.35 x",
  "a step at 2,000 messages of 1 kB": "14.8 ms, of it ours 2.4 ms, 1.20 x",
  "its store": "2.5 MB",
  "agent resume of it: prompt on the screen": "499 ms",
};
