import { expect, it } from "vitest";
import { openPlace } from "../support/agent-command.ts";
