import { createSocket } from "node:dgram";
import type { AddressInfo } from "node:net";

export interface NameServer {
  port: number;
  /** The names whose IPv4 address was asked for, in this order. */
  asked: string[];
  close(): void;
}

const typeA = 1;

/**
 * A name server on 127.0.0.1 that changes its mind: each question for a name's address gets the next of that name's answers, the last
 * one again and again, for no longer than that question. Other names, and other questions, have no answer.
 * @param port 0: any
 */
export async function startNameServer(
  answers: Readonly<Record<string, readonly string[]>>,
  port = 0,
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const asked: string[] = [];
  socket.on("message", (question, from) => {
    const { name, end } = nameIn(question);
    const isAddress = question.readUInt16BE(end) === typeA;
    const before = asked.filter((one) => one === name).length;
    const address = isAddress ? (answers[name]?.[before] ?? answers[name]?.at(-1)) : undefined;
    if (isAddress) asked.push(name);
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(answers[name] === undefined ? 0x8183 : 0x8180, 2);
    head.writeUInt16BE(address === undefined ? 0 : 1, 6);
    head.writeUInt32BE(0, 8);
    const record = address?.split(".").map(Number) ?? [];
    const answer = record.length === 0 ? [] : [0xc0, 12, 0, typeA, 0, 1, 0, 0, 0, 0, 0, 4, ...record];
    socket.send(Buffer.concat([head, question.subarray(12, end + 4), Buffer.from(answer)]), from.port, from.address);
  });
  await new Promise<void>((bound, failed) => {
    socket.once("error", failed);
    socket.bind(port, "127.0.0.1", bound);
  });
  return { port: (socket.address() as AddressInfo).port, asked, close: () => socket.close() };
}

/** The name that is asked for, and where its type stands. */
function nameIn(question: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), end: at + 1 };
}
