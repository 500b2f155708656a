/** Of rows of any session of the tree in which a session is: a condition on the column of their thread, with that session's as its value. */
export const inTreeOf = (column: string): string =>
  `${column} IN (SELECT o.thread FROM session s JOIN session o ON o.root = s.root WHERE s.thread = ?)`;
