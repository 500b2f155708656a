// Adds `count` grants of its own to a grant book, one after the other: `add-grants.ts FILE NAME COUNT`.
import { argv } from "node:process";
import { openGrantBook } from "../../../src/policy/files/grant-book.ts";
import { grant } from "./build.ts";

const [file = "", name = "", count = "0"] = argv.slice(2);
const book = openGrantBook(file);
for (let at = 0; at < Number(count); at += 1) await book.add(grant({ id: `${name}-${at}`, paths: ["src/**"] }));
