import { room } from "../room.ts";

/** The reasons why there is no session to go on with. */
export const findSession = room("findSession", {
  listHint: "agent sessions list --all lists every session",
  prefixHint: "give more of the id",
  driven: ({ session, parent }: { session: string; parent: string }) =>
    `session ${session} is driven by a call of ${parent}`,
  drivenHint: ({ parent, session }: { parent: string; session: string }) =>
    `agent resume ${parent} goes on with both, agent sessions rm ${parent} removes both, agent sessions show ${session} shows this one`,
  none: ({ workspace, toDo }: { workspace: string; toDo: string }) => `there is no session of ${workspace} ${toDo}`,
  noneHint: "agent sessions list --all includes other folders",
  folderGone: ({ id, workspace }: { id: string; workspace: string }) =>
    `the workspace of session ${id} is gone: ${workspace}`,
  folderHint: ({ id }: { id: string }) =>
    `put it back and resume the session, or begin a new one elsewhere: agent chat -C DIR; agent sessions show ${id} still shows its messages and calls`,
});
