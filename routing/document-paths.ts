import { segment } from './paths.ts';

/** The URLs of documents for those to whom they are shown. */
export const documentPaths = {
  /** leads to the signed address of a document */
  file: (id: string) => `/documents/${segment(id)}/file`,
} as const;
