/** A project's own rules, from its root. */
export const projectPolicyPath = ".holdfast/policy.json";
