/** The graph as LangGraph's own programs use it: the package's export `holdfast/graph`. */
export * from "./graph/create-graph.ts";
