/** The one style of a page. No character in it is special in HTML. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1f2328; --dim: #59636e; --page: #ffffff; --box: #f6f8fa; --line: #d1d9e0;
  --added: #dafbe1; --removed: #ffebe9; --done: #1a7f37; --failed: #d1242f; --denied: #9a6700; --open: #0969da; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --dim: #9198a1; --page: #0d1117; --box: #151b23; --line: #3d444d;
  --added: #12361f; --removed: #4b1a1d; --done: #3fb950; --failed: #f85149; --denied: #d29922; --open: #4493f8; } }
body { max-width: 60rem; margin: 0 auto; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; color: var(--dim); border-top: 1px solid var(--line); padding-top: 1rem; margin-top: 2rem; }
ul { list-style: none; margin: 0.5rem 0; padding: 0; font-size: 0.875rem; color: var(--dim); }
li { overflow-wrap: anywhere; white-space: pre-wrap; }
pre { margin: 0 0 0.75rem; padding: 0.5rem 0.75rem; background: var(--box); border-radius: 6px; font: 0.8125rem/1.45 ui-monospace, monospace;
  white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
.label { margin: 0.5rem 0 0.25rem; font-size: 0.8125rem; color: var(--dim); }
.words pre { font: inherit; }
.person pre, .steer pre { border-left: 4px solid var(--open); }
.agent pre { background: none; padding: 0; }
details { margin: 0.5rem 0; padding: 0.25rem 0.75rem; border: 1px solid var(--line); border-radius: 6px; }
summary { cursor: pointer; overflow-wrap: anywhere; }
summary b { color: var(--open); }
.done > summary b { color: var(--done); }
.failed > summary b { color: var(--failed); }
.denied > summary b { color: var(--denied); }
summary code, summary small, .fold > summary, .head, .place, .note { color: var(--dim); }
summary small { display: block; }
.diff span { display: block; margin: 0 -0.75rem; padding: 0 0.75rem; }
.added { background: var(--added); }
.removed { background: var(--removed); }
li, summary span, summary small, summary code { unicode-bidi: isolate; }
`;
