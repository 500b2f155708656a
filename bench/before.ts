/**
 * What each row was while the command changed LangGraph and kept V8's compiled code between starts, on the same machine when it
 * was idle: the figure, and its ratio to what stands beside it. By the row's name.
 */
export const before: Readonly<Record<string, string>> = {
  "agent --version": "29 ms, 1.35 x",
  "agent --help": "29 ms, 1.36 x",
  "chat: prompt on the screen": "33 ms, 1.44 x",
  "chat: first request of a message typed at once": "115 ms, 5.06 x",
  "chat: memory before the first message": "70 MB",
  "agent run, one step": "149 ms, 6.44 x",
  "grep tool over 50,000 files": "133 ms, 1.01 x",
  "agent run, 200 steps": "2.12 s, 2.96 x",
  "a step, the first 50": "10.2 ms, 3.44 x",
  "a step, the last 50": "10.0 ms, 2.71 x",
  "memory after 200 steps": "132 MB, 1.12 x",
  "store after 200 steps": "235 kB, 0.84 x",
  "a step at 100 messages of 1 kB": "8.6 ms, 3.00 x",
  "a step at 2,000 messages of 1 kB": "16.8 ms, 0.94 x",
  "its store": "2.0 MB",
  "agent resume of it: prompt on the screen": "340 ms",
};
