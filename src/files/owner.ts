/** Tells whether the files of this user id are this process's own, or the system's: the effective user or root. */
export function isOurs(uid: number): boolean {
  const mine = process.geteuid?.();
  return mine === undefined || uid === mine || uid === 0;
}
