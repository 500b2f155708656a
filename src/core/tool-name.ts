const wellFormed = /^[a-zA-Z0-9_-]{1,64}$/;

/** `__proto__`, `constructor` and the like: in a table by names they would stand for something else. */
const ofEveryObject: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** @throws TypeError for a name that model servers do not accept (1 to 64 of a-z A-Z 0-9 _ -), and for one that every object has. */
export function checkToolName(name: unknown): void {
  if (typeof name !== "string" || !wellFormed.test(name))
    throw new TypeError(`tool name ${JSON.stringify(name)} must be 1 to 64 of a-z, A-Z, 0-9, _ and -`);
  if (ofEveryObject.has(name))
    throw new TypeError(`tool name ${JSON.stringify(name)} is one that every object of JavaScript has: choose another`);
}
