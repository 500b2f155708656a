/**
 * What is used of undici, to be loaded by `import()` of this module: a bundler gives an imported package of CommonJS its names only
 * where they are named.
 */
export { Agent, buildConnector, EnvHttpProxyAgent, fetch, ProxyAgent } from "undici";
