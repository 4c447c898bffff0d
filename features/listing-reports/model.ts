export const reportReasons = ['scam', 'wrong', 'unavailable', 'duplicate', 'offensive', 'other'] as const;
/** What is wrong with a listing. */
export type ReportReason = (typeof reportReasons)[number];

export type ReportErrors = { reason?: string; details?: string };
export type ReportResult = { ok: true } | { ok: false; errors: ReportErrors };
