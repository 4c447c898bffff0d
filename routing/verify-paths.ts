import { queryString } from './paths.ts';

/** The URL of the public check of documents, apart from `paths`: pages get their links to it from the server. */
export const verifyPaths = {
  /** `q`: a SHA-256 in hexadecimal digits, or the number of a document */
  verify: (query: { q?: string } = {}) => `/verify${queryString(query)}`,
} as const;
