/** What `agent.js` says in Chinese where the program itself cannot be loaded. */
export const words = {
  oldNode: (version) => `agent 需要 Node 20.20 或更新的版本；这里是 ${version}。`,
  windows: () => "agent 不能在 Windows 上运行：它依赖 POSIX 的文件和进程。请在 WSL 中使用。",
  notBuilt: (folder) => `agent 还没有构建：请在 ${folder} 运行 \`npm run build\`。`,
  tooManyFiles: () => "agent: 打开的文件太多：此进程不能再打开文件；请调高上限再试：ulimit -n 1024",
  internal: (what) => `agent: 内部错误：${what}`,
};
