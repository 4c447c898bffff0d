/** The short form of a request id that error pages and log lines name, so that a user can report an error. */
export const referenceOf = (requestId: string): string => requestId.slice(0, 8);
