/** Methods of HTTP that ask for nothing but an answer. */
export const readingMethods = ["GET", "HEAD"] as const;

/** Tells whether a method asks the host to do something: any but these do. */
export const isSending = (method = "GET"): boolean => !readingMethods.some((one) => one === method);
