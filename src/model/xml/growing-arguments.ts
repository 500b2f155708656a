import type { ToolSchema } from "../../tools/use/schema.ts";
import type { ModelEvent } from "../port.ts";
import type { XmlPiece } from "./read-calls.ts";
import { isTextOnly, parameterOf, readTyped, typesOf } from "./typed-values.ts";

type CallEvent = Extract<ModelEvent, { type: "call" }>;

/** The parameters of a call that is being written as the growing JSON text that models with function calling send. */
export class GrowingArguments {
  readonly index: number;
  readonly #name: string;
  readonly #tool: ToolSchema | undefined;
  #written = "{";
  /** Characters of the open value that were told. */
  #told: number | undefined;

  constructor(index: number, name: string, tool: ToolSchema | undefined) {
    this.index = index;
    this.#name = name;
    this.#tool = tool;
  }

  take(piece: Exclude<XmlPiece, { type: "text" | "call" }>): CallEvent {
    if (piece.type === "name") return { ...this.#grown(""), id: "", name: this.#name };
    if (piece.type === "value") return this.#grown(this.#isText(piece.name) ? this.#tell(piece.name, piece.text) : "");
    const { name, text } = piece.param;
    if (this.#isText(name)) {
      const rest = this.#tell(name, text.slice(this.#told ?? 0));
      this.#told = undefined;
      return this.#grown(`${rest}"`);
    }
    const typed = readTyped(text, this.#typesOf(name));
    return this.#grown(`${this.#key(name)}${JSON.stringify(typed.ok ? typed.value : text)}`);
  }

  end(): CallEvent {
    return this.#grown("}");
  }

  #grown(text: string): CallEvent {
    const argumentsDelta = this.#written + text;
    this.#written = "";
    this.#first &&= text === "";
    return { type: "call", index: this.index, argumentsDelta };
  }

  #first = true;

  #key(name: string): string {
    return `${this.#first ? "" : ","}${JSON.stringify(name)}:`;
  }

  #tell(name: string, text: string): string {
    const opening = this.#told === undefined ? `${this.#key(name)}"` : "";
    this.#told = (this.#told ?? 0) + text.length;
    return opening + JSON.stringify(text).slice(1, -1);
  }

  #typesOf(name: string) {
    return typesOf(this.#tool && parameterOf(this.#tool, name), this.#tool?.parameters ?? {});
  }

  #isText(name: string): boolean {
    return isTextOnly(this.#typesOf(name));
  }
}
