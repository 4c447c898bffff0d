import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from './calendar.ts';
import { idGenerator } from './ids.ts';
import type { Conversations } from './interest/conversations.ts';
import type { Listing } from './listings/listings.ts';
import type { People, Person } from './people.ts';

type Report = Insertable<DB['inquiry_reports']>;

/** What was reported to the administrators, and what they did about it. */
export interface Oversight {
  reports: Report[];
  notices: Insertable<DB['user_notices']>[];
  suspended: { id: string; at: Date; reason: string }[];
}

interface Parties {
  inquiryId: string;
  buyer: Person;
  seller: Person;
}

const SUSPENSION = 'Sent the same advertisement to several sellers.';
const WARNING = 'Please keep to the property, and stay polite even when an answer takes a few days.';

/** Reports that wait and ones with every decision: a buyer who was warned, another who was suspended. */
export function oversight(
  { inquiries }: Conversations,
  listings: readonly Listing[],
  { admin, buyers }: People,
  calendar: Calendar,
): Oversight {
  const id = idGenerator('oversight');
  const byId = new Map(buyers.map((buyer) => [buyer.id, buyer]));
  const sellerOf = new Map(listings.map(({ id: listing, seller }) => [listing, seller.person]));
  // The two demo buyers whose password is known keep an account without a mark.
  const [first, second] = buyers;
  const parties = inquiries.flatMap(({ id: inquiryId = '', user_id, property_id }): Parties[] => {
    const [buyer, seller] = [byId.get(user_id), sellerOf.get(property_id)];
    return buyer && seller && buyer !== first && buyer !== second ? [{ inquiryId, buyer, seller }] : [];
  });
  const others = parties.filter(({ buyer }, at) => parties.findIndex((one) => one.buyer === buyer) === at);
  const report = (
    { inquiryId, buyer, seller }: Parties,
    by: 'buyer' | 'seller',
    reason: string,
    decided: Pick<Report, 'decision' | 'decision_note'> | null,
    daysAgo: number,
  ): Report => ({
    id: id(),
    inquiry_id: inquiryId,
    reported_by: (by === 'buyer' ? buyer : seller).id,
    reason,
    created_at: calendar.ago(daysAgo),
    resolved_at: decided && calendar.ago(daysAgo - 0.5),
    decided_by: decided && admin.id,
    decision: decided?.decision ?? null,
    decision_note: decided?.decision_note ?? null,
  });
  const [one, two, three, warned, spammer] = others;
  if (!one || !two || !three || !warned || !spammer) throw new Error('Too few conversations to report');
  return {
    reports: [
      report(one, 'buyer', 'The seller asked me to pay outside of the marketplace.', null, 1.5),
      report(two, 'seller', 'Insults after I could not offer a viewing on Sunday.', null, 0.6),
      report(three, 'buyer', 'The answers are slow.', { decision: 'closed', decision_note: null }, 12),
      report(warned, 'seller', 'Rude.', { decision: 'warned', decision_note: WARNING }, 5),
      report(
        spammer,
        'seller',
        'Advertises a loan.',
        { decision: 'suspended', decision_note: SUSPENSION },
        3,
      ),
    ],
    notices: [{ id: id(), user_id: warned.buyer.id, message: WARNING, created_at: calendar.ago(4.5) }],
    suspended: [{ id: spammer.buyer.id, at: calendar.ago(2.5), reason: SUSPENSION }],
  };
}
