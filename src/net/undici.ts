/**
 * The part of undici that is used, to be loaded by `loadUndici` alone: a bundler gives an imported package of CommonJS its names only
 * where they are named. It is a file of its own in the built command.
 */
export { Agent, buildConnector, EnvHttpProxyAgent, fetch, ProxyAgent } from "undici";
