import type { TourSide, TourStatus, TourView } from './model.ts';

/** What a tour's status says to one of its parties, and how it is colored. */
export function statusOf({ status, side, endedBy }: Pick<TourView, 'status' | 'side' | 'endedBy'>): {
  label: string;
  tone: 'ok' | 'warn' | 'info' | 'mute';
} {
  const waits: Record<TourSide, Partial<Record<TourStatus, string>>> = {
    buyer: { requested: 'Waiting for the seller', proposed: 'Needs Your Answer' },
    seller: { requested: 'Needs Your Answer', proposed: 'Waiting for the buyer' },
  };
  const waiting = waits[side][status];
  if (waiting) return { label: waiting, tone: waiting.startsWith('Needs') ? 'warn' : 'info' };
  if (status === 'confirmed') return { label: 'Confirmed', tone: 'ok' };
  const ended: Partial<Record<TourStatus, string>> = {
    declined: 'Declined',
    lapsed: 'Not Answered',
    done: 'Done',
  };
  if (status === 'cancelled' && endedBy === side) return { label: 'Cancelled by You', tone: 'mute' };
  return { label: ended[status] ?? 'Cancelled', tone: 'mute' };
}
