import { createHash } from 'node:crypto';

/** Changes with the explanation of a task: a form that was shown another one must not close it. */
export const detailMark = (detail: string): string =>
  createHash('sha256').update(detail).digest('base64url').slice(0, 16);
