// A small program at a terminal, for the tests of the terminal itself: prints each key it gets.
import { existsSync } from "node:fs";
import { firstPaint } from "../../src/cli/terminal/first-paint.ts";
import { openTty } from "../../src/cli/terminal/tty.ts";

const { stdin, stdout, env } = process;
const early = firstPaint({ stdin, stdout, env, banner: ["the banner"], onInterrupt: () => process.exit(130) });
const print = (text: string): unknown => stdout.write(`${text}\r\n`);
/** "" or "fail"; else a file: it loads until that is there. */
const [, , until = ""] = process.argv;

if (until === "fail") {
  early?.restore();
  print("it cannot start");
  process.exit(2);
}
// An answer is heard for a second, and a busy machine takes longer to give it.
if (env["ASK"] !== undefined) performance.now = () => 0;

const open = (): void => {
  const tty = openTty({ stdin, stdout, env, early });
  stdout.write(early?.erase ?? "");
  print(`ready ${tty.columns}x${tty.rows}`);
  if (env["ASK"] !== undefined) tty.onBackground((color) => print(`background ${color.join(" ")}`));
  tty.onResize(() => print(`size ${tty.columns}x${tty.rows}`));
  tty.onResume(() => print("back again"));
  tty.onKey((key) => {
    print(
      `<${key.ctrl ? "ctrl-" : ""}${key.alt ? "alt-" : ""}${key.shift ? "shift-" : ""}${key.name}:${key.text?.replaceAll("\n", "/") ?? ""}>`,
    );
    if (key.text === "q") {
      tty.restore();
      tty.restore();
      print("left");
      stdin.pause();
    }
    if (key.text === "x") throw new Error("a fault in the program");
    if (key.text === "e") process.exit(3);
    if (key.text === "p") {
      tty.pause();
      print("paused");
      setTimeout(() => tty.resume(), 20);
    }
    if (key.text === "z" && key.ctrl) tty.suspend();
    // Behind the tty's own listener: it has the next bytes by then, and its time to wait for more of them is not over.
    if (key.text === "c") stdin.once("data", () => process.kill(process.pid, "SIGCONT"));
  });
};

const loading = setInterval(() => {
  if (until !== "" && !existsSync(until)) return;
  clearInterval(loading);
  open();
}, 10);
