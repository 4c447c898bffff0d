import { type Attention, attention } from './attention.ts';
import { type Calendar, calendarAt } from './calendar.ts';
import { type Differences, differences } from './differences.ts';
import { type Documents, documents } from './documents/documents.ts';
import { type OwnershipProofs, ownershipProofs } from './documents/ownership.ts';
import { type ServiceFees, serviceFees } from './fees.ts';
import { type Changes, changes } from './interest/changes.ts';
import { type Conversations, conversations } from './interest/conversations.ts';
import { type Interest, interest, searches } from './interest/interest.ts';
import { type Listing, listings } from './listings/listings.ts';
import { reviewCases } from './listings/review-cases.ts';
import { type Oversight, oversight } from './oversight.ts';
import { type People, people } from './people.ts';
import type { Sale } from './sales/sale.ts';
import { planSales } from './sales/sale-plan.ts';
import { type SalesRows, sales } from './sales/sales.ts';
import { type Tours, tours } from './tours.ts';

/** All data of the demo market, as rows for the database and files for the file store. */
export interface DemoMarket {
  calendar: Calendar;
  people: People;
  fees: ServiceFees;
  listings: Listing[];
  sales: { made: Sale[]; rows: SalesRows };
  conversations: Conversations;
  interest: Interest;
  changes: Changes;
  searches: ReturnType<typeof searches>;
  documents: Documents;
  ownership: OwnershipProofs;
  attention: Attention;
  differences: Differences;
  oversight: Oversight;
  tours: Tours;
}

/**
 * Generates the demo market for the day of `now`; the same for every call on one day (UTC).
 * @param invitationHash the hash of `DEMO_INVITATION_TOKEN` that is stored
 */
export function demoMarket(now: Date, invitationHash: string): DemoMarket {
  const calendar = calendarAt(now);
  const everyone = people(calendar, invitationHash);
  const { buyers, sellers, admin, secondAdmin } = everyone;
  const fees = serviceFees(calendar);
  const all = listings(calendar, sellers);
  const admins = { first: admin.id, second: secondAdmin.id };
  const traded = sales(planSales(all, buyers), fees.fees, admins, calendar);
  const watched = interest(all, buyers, calendar);
  const changed = changes(all, watched.watches, buyers[0]?.id ?? '', fees.fees, calendar);
  const reviewed = reviewCases(all, changed.history, calendar);
  const talks = conversations(all, buyers, calendar);
  return {
    calendar,
    people: everyone,
    fees,
    listings: reviewed.listings,
    sales: traded,
    conversations: talks,
    interest: watched,
    changes: { ...changed, history: reviewed.history },
    searches: searches(all, buyers, calendar),
    documents: documents(all, traded.made, calendar),
    ownership: ownershipProofs(reviewed.listings, admin.id, calendar),
    attention: attention(traded.rows, admin.id, calendar),
    differences: differences(secondAdmin.id, calendar),
    oversight: oversight(talks, all, everyone, calendar),
    tours: tours(all, buyers, sellers, calendar),
  };
}
