import { spawn } from "@lydell/node-pty";

/** Holds a terminal with a program on it, and shows what it prints, until it is killed: then the terminal is gone. */
const [file = "", ...args] = process.argv.slice(2);
const child = spawn(file, args, { name: "xterm-256color", cols: 100, rows: 30, cwd: process.cwd(), env: process.env });
child.onData((data) => process.stdout.write(data));
