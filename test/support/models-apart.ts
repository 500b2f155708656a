import { HumanMessage } from "@langchain/core/messages";
import type { Model, ModelRequest } from "../../src/model/port.ts";
import { openScript } from "../../src/model/script.ts";
import type { Line } from "./play.ts";

export const firstWords = ({ messages }: ModelRequest): string =>
  String(messages.find((message) => HumanMessage.isInstance(message))?.content);

/** A model for which each session is told apart by its first words, or by how they begin: those that are named here play lines of their own. */
export const apart =
  (lines: Readonly<Record<string, readonly Line[]>>) =>
  (model: Model): Model => {
    const models = new Map(
      Object.entries(lines).map(([task, own]) => [
        task,
        openScript(
          { requests: own.map((line, i) => ({ ...line, line: i + 1 })), person: [], summaries: [] },
          { spec: "script", name: task },
        ),
      ]),
    );
    return {
      ...model,
      stream: (request, signal) => {
        const words = firstWords(request);
        const [, own] = [...models].find(([task]) => words.startsWith(task)) ?? [];
        return (models.get(words) ?? own ?? model).stream(request, signal);
      },
    };
  };
