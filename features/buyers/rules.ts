import { hasRole } from '#platform/access.ts';
import { formatCount } from '#platform/format-count.ts';
import { REASON_MAX_LENGTH } from '#platform/reason-length.ts';
import type { Tone } from '#ui/badge.tsx';
import type { BuyerStatus, MailStatus, SuspensionResult } from './model.ts';

export const mayManageBuyers = hasRole('admin');

export const buyerStatusBadges: Record<BuyerStatus, { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'ok' },
  suspended: { label: 'Suspended', tone: 'bad' },
  unconfirmed: { label: 'Unconfirmed', tone: 'warn' },
  closed: { label: 'Closed', tone: 'mute' },
};

export const mailStatusBadges: Record<MailStatus, { label: string; tone: Tone }> = {
  queued: { label: 'Waiting', tone: 'warn' },
  sent: { label: 'Sent', tone: 'ok' },
  dead: { label: 'Failed', tone: 'bad' },
  dropped: { label: 'Not sent', tone: 'mute' },
};

/** Why a suspension, or its end, was refused. */
export const suspensionRefusals: Record<Extract<SuspensionResult, { ok: false }>['reason'], string> = {
  empty: 'Please give a reason.',
  too_long: `A reason can have at most ${formatCount(REASON_MAX_LENGTH)} characters.`,
  unchanged: 'Another administrator has already done this.',
  closed: 'This account is closed.',
};

/** What a suspended buyer reads on their own pages. */
export const suspendedBuyerMessage = {
  title: 'Your account is suspended',
  text: 'You can see everything here, and your open purchases continue. You cannot start purchases, send inquiries or write messages.',
} as const;

/** A reason as typed: trimmed, or why it is none. */
export function reasonProblem(reason: string): 'empty' | 'too_long' | null {
  if (!reason) return 'empty';
  return reason.length > REASON_MAX_LENGTH ? 'too_long' : null;
}
