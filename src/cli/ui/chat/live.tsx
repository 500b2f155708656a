import { Box } from "ink";
import type { FunctionComponent } from "react";
import { Composer, Draft, Popup } from "../composer/composer.tsx";
import { Dialog } from "../dialog/dialog.tsx";
import { PartBox, type PartProps } from "../draw/rows.tsx";
import { FormPart } from "../form/form.tsx";
import { Recovery } from "../recovery/recovery.tsx";
import { Footer, StatusLine } from "../status/status-line.tsx";
import { Cards, Queue, Talk } from "../transcript/live.tsx";
import type { Part, PartName } from "./live-frame.ts";

const components: Record<PartName, FunctionComponent<PartProps>> = {
  small: PartBox,
  dialog: Dialog,
  recovery: Recovery,
  form: FormPart,
  draft: Draft,
  talk: Talk,
  cards: Cards,
  queue: Queue,
  status: StatusLine,
  plan: PartBox,
  composer: Composer,
  popup: Popup,
  footer: Footer,
};

/** The live part of the screen: its parts in a column, each once at most. */
export const Live = ({ parts }: { parts: readonly Part[] }) => (
  <Box flexDirection="column">
    {parts.map(({ name, block, gap }) => {
      const Component = components[name];
      return <Component key={name} block={block} gap={gap} />;
    })}
  </Box>
);
