import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import type { Listing } from './listings.ts';

type History = Insertable<DB['property_changes']>[];

/** Short forms of the words for streets, as people write them. */
const SHORT: Readonly<Record<string, string>> = {
  Street: 'St.',
  Road: 'Rd',
  Lane: 'Ln',
  Drive: 'Dr',
  Avenue: 'Ave',
};
const shortened = (address: string) =>
  address.replace(/\b(?:Street|Road|Lane|Drive|Avenue)\b/, (word) => SHORT[word] ?? word);

/**
 * What makes the review desk worth looking at: two listings that were changed after their approval, one that waits a second
 * time, and one that another seller has on the market already. Listings with a history of their own are left alone.
 */
export function reviewCases(
  all: readonly Listing[],
  history: History,
  calendar: Calendar,
): { listings: Listing[]; history: History } {
  const touched = new Set(history.map(({ property_id }) => property_id));
  const added: History = [];
  const changed = new Map<string, Partial<Listing['row']>>();
  const entry = (listing: Listing, field: string, from: string, to: string, daysAgo: number) =>
    added.push({
      property_id: listing.id,
      changed_by: listing.seller.person?.id ?? null,
      field,
      previous_value: from,
      new_value: to,
      reason: null,
      created_at: calendar.ago(daysAgo),
    });
  const of = (status: string) =>
    all.filter(
      ({ id, timeline, row, seller }) =>
        timeline.status === status &&
        !touched.has(id) &&
        !row.featured_slot &&
        seller.row.status === 'active',
    );

  const onMarket = of('Active').filter(
    ({ timeline, row }) => timeline.created > 30 && (row.description ?? '').includes('. '),
  );
  for (const [at, listing] of onMarket.slice(0, 2).entries()) {
    const { price_cents: price, description = '' } = listing.row;
    const days = 0.4 + at;
    entry(listing, 'price_cents', String(Math.round(Number(price) * 0.00965) * 100), String(price), days);
    entry(listing, 'description', description.slice(0, description.lastIndexOf('. ') + 1), description, days);
    changed.set(listing.id, { changed_since_approval_at: calendar.ago(days) });
  }

  const waiting = of('pending');
  const [again] = waiting;
  if (again) {
    entry(again, 'status', 'pending', 'changes_requested', again.timeline.created * 0.6);
    entry(again, 'status', 'changes_requested', 'pending', again.timeline.created * 0.3);
    changed.set(again.id, { submitted_at: calendar.ago(again.timeline.created * 0.3) });
  }

  for (const listing of waiting.slice(1)) {
    const twin = of('Active').find(
      ({ kind, row, seller }) =>
        kind === listing.kind &&
        row.city === listing.row.city &&
        seller.id !== listing.seller.id &&
        shortened(row.address) !== row.address,
    );
    if (!twin) continue;
    const address = shortened(twin.row.address);
    const title = listing.row.title === listing.row.address ? address : (listing.row.title ?? null);
    changed.set(listing.id, { address, title, zip: twin.row.zip });
    break;
  }
  return {
    listings: all.map((one) => ({ ...one, row: { ...one.row, ...changed.get(one.id) } })),
    history: [...history, ...added],
  };
}
