import type { PropertyStatus } from '#features/listings/model.ts';
import type { PublicEvent, PublicEventKind } from './model.ts';

/** A recorded change of a listing's status or of its base price, as stored. */
export interface RecordedChange {
  field: 'status' | 'price_cents';
  from: string | null;
  to: string | null;
  at: Date;
}

interface Facts {
  status: PropertyStatus;
  /** integer cents */
  priceCents: number;
  listedAt: Date | null;
  pausedAt: Date | null;
  offMarketAt: Date | null;
}

/** The most that a page shows. */
const MOST_EVENTS = 20;

const publicStatuses: readonly string[] = ['Active', 'escrow', 'Sold'] satisfies PropertyStatus[];
const isPublic = (status: string): boolean => publicStatuses.includes(status);

/**
 * The public history of a listing, newest first: when it came onto the market, with which price, what became of the price
 * while anyone could see it, and when it left. What happened out of sight (review, prices tried before a relisting,
 * reasons) is not part of it; a listing that comes back shows the price with which it does.
 * @param changes oldest first
 */
export function publicEvents(changes: readonly RecordedChange[], facts: Facts): PublicEvent[] {
  if (facts.listedAt === null) return [];
  const firstOf = (field: RecordedChange['field']) => changes.find((change) => change.field === field);
  const events: PublicEvent[] = [];
  let status: string = firstOf('status')?.from ?? facts.status;
  let cents = centsOf(firstOf('price_cents')?.from) ?? facts.priceCents;
  /** the price that the public saw last; null before the first listing */
  let seen: number | null = null;

  const add = (kind: PublicEventKind, at: Date) => {
    events.push({
      kind,
      at: at.toISOString(),
      cents,
      previousCents: seen === null || seen === cents ? null : seen,
    });
    seen = cents;
  };

  // Imported and added listings are on the market from the start, without a change of status.
  if (isPublic(status)) add('listed', facts.listedAt);
  for (const change of changes) {
    if (change.field === 'price_cents') {
      cents = centsOf(change.to) ?? cents;
      if (status !== 'Sold' && isPublic(status) && seen !== cents) add('price', change.at);
      continue;
    }
    const next = change.to ?? status;
    const kind = kindOf(status, next, seen !== null);
    status = next;
    if (kind === 'removed')
      events.push({ kind, at: change.at.toISOString(), cents: seen ?? cents, previousCents: null });
    else if (kind) add(kind, change.at);
  }
  // Without a recorded change, the dates of the listing itself say when it left.
  if (!firstOf('status')) {
    if (facts.status === 'escrow' && facts.pausedAt) add('escrow', facts.pausedAt);
    if (facts.status === 'Sold' && facts.offMarketAt) add('sold', facts.offMarketAt);
  }
  return events.reverse().slice(0, MOST_EVENTS);
}

/** What a change of status is to the public; null when it is nothing. */
function kindOf(from: string, to: string, wasListed: boolean): PublicEventKind | null {
  if (to === 'Active') {
    if (!wasListed) return 'listed';
    return from === 'escrow' ? 'back' : 'relisted';
  }
  if (to === 'escrow') return 'escrow';
  if (to === 'Sold') return 'sold';
  return isPublic(from) && wasListed ? 'removed' : null;
}

function centsOf(text: string | null | undefined): number | null {
  const cents = text === null || text === undefined ? Number.NaN : Number(text);
  return Number.isSafeInteger(cents) ? cents : null;
}
