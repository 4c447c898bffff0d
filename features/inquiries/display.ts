import { formatCount } from '#platform/format-count.ts';
import type { Tone } from '#ui/badge.tsx';
import type { HistorySender, InquiryState, OverseenInquiry, ReportDecision } from './oversight-model.ts';

/** What administrators read as the status of a conversation. */
export const stateBadges: Record<InquiryState | 'error', { label: string; tone: Tone }> = {
  pending: { label: 'Pending', tone: 'warn' },
  buyer_reply: { label: 'Buyer Reply', tone: 'info' },
  seller_replied: { label: 'Seller Replied', tone: 'ok' },
  agent_replied: { label: 'Agent Replied', tone: 'ok' },
  error: { label: 'Error', tone: 'bad' },
};

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** A duration in its largest whole unit, from seconds: '2 days', '1 hour', 'less than a minute'. */
export function durationWords(seconds: number): string {
  for (const [unit, size] of units) {
    const count = Math.floor(seconds / size);
    if (count > 0) return `${formatCount(count)} ${unit}${count === 1 ? '' : 's'}`;
  }
  return 'less than a minute';
}

/** How long the seller took to reply, in words. */
export function responseText(seconds: OverseenInquiry['responseSeconds']): string {
  if (seconds === 'error') return 'Error calculating response time';
  return seconds === null ? 'No response yet' : `Responded in ${durationWords(seconds)}`;
}

/** Who wrote a message, as its label says. */
export function senderLabel(sender: HistorySender, seller: string): string {
  if (sender === 'buyer') return 'Buyer';
  return sender === 'seller' ? seller || 'Agent' : 'Unknown';
}

/** A moment as 'Jan 5, 2025 3:04 PM', in the zone of whoever runs this unless `zone` is given. */
export function messageTime(of: string, zone?: 'UTC'): string {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('en-US', { ...options, ...(zone && { timeZone: zone }) })
      .format(new Date(of))
      .replaceAll('\u202f', ' ');
  return `${part({ dateStyle: 'medium' })} ${part({ timeStyle: 'short' })}`;
}

/** What was decided about a report. */
export const decisionBadges: Record<ReportDecision, { label: string; tone: Tone }> = {
  warned: { label: 'Warned', tone: 'warn' },
  suspended: { label: 'Suspended', tone: 'bad' },
  closed: { label: 'Closed', tone: 'mute' },
};
