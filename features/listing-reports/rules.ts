import { formatCount } from '#platform/format-count.ts';
import { visibleText } from '#platform/typed-text.ts';
import { type ReportErrors, type ReportReason, reportReasons } from './model.ts';

/** The most characters of what is written in a report. */
export const DETAILS_LIMIT = 1000;

export const reasonLabels: Record<ReportReason, string> = {
  scam: 'It looks like a scam',
  wrong: 'The facts or photos are wrong',
  unavailable: 'It is not for sale, or sold already',
  duplicate: 'It is listed twice',
  offensive: 'It is offensive or discriminates against people',
  other: 'Something else',
};

type Read = { ok: true; reason: ReportReason; details: string } | { ok: false; errors: ReportErrors };

/** Reads a report as typed: a reason of the list, and for something else a few words. */
export function readReport(typed: { reason: string; details: string }): Read {
  const reason = reportReasons.find((known) => known === typed.reason);
  const details = visibleText(typed.details).trim();
  const errors: ReportErrors = {};
  if (!reason) errors.reason = 'Please choose a reason.';
  if (reason === 'other' && details === '') errors.details = 'Please write what is wrong.';
  if (details.length > DETAILS_LIMIT)
    errors.details = `Please use at most ${formatCount(DETAILS_LIMIT)} characters.`;
  return reason && Object.keys(errors).length === 0 ? { ok: true, reason, details } : { ok: false, errors };
}
