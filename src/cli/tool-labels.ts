import type { OpenedTools } from "./open-tools.ts";
import type { ToolLabels } from "./services/session-services.ts";
import type { Language } from "./ui/view/labels.ts";

/** The names that people read in the place of tools' names, by workspace, as far as the tools were opened for a session. */
export interface LabelBook {
  of(workspace: string): ToolLabels;
  note(workspace: string, opened: Pick<OpenedTools, "tools" | "taken">): Promise<void>;
}

export function labelBook(lang: Language): LabelBook {
  const known = new Map<string, ToolLabels>();
  return {
    of: (workspace) => known.get(workspace) ?? new Map(),
    async note(workspace, { tools, taken }) {
      known.delete(workspace);
      // Most tools are called what they are.
      if (tools.every(({ display }) => display === undefined)) return;
      const [{ labelsOf }, { createPlanTool }, { undoNames }] = await Promise.all([
        import("./ui/view/labels.ts"),
        import("../tools/goals/present-plan.ts"),
        import("../tools/undo/undo-changes.ts"),
      ]);
      // In English an undo is called what it is for rules.
      const named = [...tools, createPlanTool(), ...(lang === "en" ? [] : [undoNames])];
      known.set(workspace, labelsOf(named, lang, taken));
    },
  };
}
