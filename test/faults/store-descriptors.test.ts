import { expect, it } from "vitest";
import { closedBeside } from "./store-descriptors.ts";

const opened = (thread: number, fd: number, path: string): string =>
  `${thread} openat(AT_FDCWD, "${path}", O_RDWR) = ${fd}<${path}>`;
const closed = (thread: number, fd: number, path: string): string => `${thread} close(${fd}<${path}>) = 0`;
const [db, shm] = ["/home/agent.db", "/home/agent.db-shm"];

it("a descriptor of the store that is closed beside another one is found, in whatever thread", () => {
  const trace = [
    opened(10, 17, db),
    opened(10, 18, shm),
    "10 clone3({flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD}, 88) = 11",
    `11 openat(AT_FDCWD, "${shm}", O_RDONLY <unfinished ...>`,
    "10 close(9</other>) = 0",
    `11 <... openat resumed>) = 20<${shm}>`,
    closed(11, 20, shm),
  ];
  expect(closedBeside(trace.join("\n"), db)).toEqual({
    closes: 1,
    complaints: [`process 10 closed ${shm} beside another descriptor of it`],
  });
});

it("what the last one closes, and what another process does, is as it should be", () => {
  const trace = [
    opened(10, 17, db),
    opened(10, 18, shm),
    "10 vfork() = 12",
    opened(12, 3, shm),
    closed(12, 3, shm),
    closed(10, 18, shm),
    closed(10, 17, db),
  ];
  expect(closedBeside(trace.join("\n"), db)).toEqual({ closes: 3, complaints: [] });
});
