import { segment } from './paths.ts';

/** The URLs of files in conversations. */
export const messageFilePaths = {
  /** leads those who may read it to the signed address of a file */
  file: (id: string) => `/message-files/${segment(id)}`,
  /** where a file is sent to the other side of a conversation */
  send: (inquiryId: string) => `/inquiries/${segment(inquiryId)}/file`,
} as const;
