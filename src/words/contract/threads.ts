const mend =
  'give the graph a store on disk: createGraph({ store: await openStore({ file: "/PATH/agent.db" }) }, { checkpointer })';

/** The reasons why a thread that LangGraph drives alone is not run: its program reads them in what is thrown. */
export const threadRefusals = {
  noDurableJournal: `the checkpointer outlives this process and the journal does not, so that approvals and effects would be lost with it: ${mend}; or say durable: false, if the checkpointer keeps nothing for another process`,
  notInJournal: ({ thread, what, file }: { thread: string; what: string; file: string }) =>
    `the checkpoint of thread ${thread} has ${what}, and the journal in ${file} has not: nothing was resumed or written. Open the graph with the store that the thread was begun with (createGraph({ store })), or begin another thread`,
};
