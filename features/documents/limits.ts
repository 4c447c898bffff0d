import { HOUR, MINUTE } from '#platform/durations.ts';
import { per } from '#platform/rate-limits.ts';

/** Rate limits of documents. */
export const documentLimits = {
  upload: [per('upload-document', 30, HOUR)],
  link: [per('document-link', 60, MINUTE)],
} as const;
