import { addAbortSignal, type Duplex } from "node:stream";
import { hostOf, portOf } from "./addresses.ts";

/** A tunnel through the person's own proxy, which finds the address. @param signal what ends it, before it stands and after */
export async function tunnelThrough(proxy: URL, url: URL, signal: AbortSignal): Promise<Duplex> {
  const { request } = proxy.protocol === "https:" ? await import("node:https") : await import("node:http");
  const to = `${url.hostname}:${portOf(url)}`;
  const asked = request({
    host: hostOf(proxy),
    port: portOf(proxy),
    method: "CONNECT",
    path: to,
    agent: false,
    headers: { host: to, ...credentialsOf(proxy) },
    signal,
  });
  return new Promise((resolve, reject) => {
    asked.once("connect", ({ statusCode }, socket, head) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        socket.on("error", () => undefined);
        resolve(addAbortSignal(signal, socket));
      } else {
        socket.destroy();
        reject(new Error(`the proxy answered ${statusCode}`));
      }
    });
    asked.once("response", ({ statusCode }) => {
      asked.destroy();
      reject(new Error(`the proxy answered ${statusCode}`));
    });
    asked.once("error", reject);
    asked.end();
  });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === "" && password === "") return {};
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(words).toString("base64")}` };
}
