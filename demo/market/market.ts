import { type Calendar, calendarAt } from './calendar.ts';
import { type Documents, documents } from './documents/documents.ts';
import { type ServiceFees, serviceFees } from './fees.ts';
import { type Changes, changes } from './interest/changes.ts';
import { type Conversations, conversations } from './interest/conversations.ts';
import { type Interest, interest, searches } from './interest/interest.ts';
import { type Listing, listings } from './listings/listings.ts';
import { type People, people } from './people.ts';
import { dealsOf } from './sales/plan.ts';
import type { Sale } from './sales/sale.ts';
import { type SalesRows, sales } from './sales/sales.ts';

/** Everything the demo market consists of, as rows for the database and files for the file store. */
export interface Market {
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
}

/**
 * The demo market as it looks on the day of `now`; the same for every call on one day (UTC).
 * @param invitationHash the stored form of `DEMO_INVITATION_TOKEN`
 */
export function demoMarket(now: Date, invitationHash: string): Market {
  const calendar = calendarAt(now);
  const everyone = people(calendar, invitationHash);
  const { buyers, sellers, admin } = everyone;
  const fees = serviceFees(calendar);
  const all = listings(calendar, sellers);
  const traded = sales(dealsOf(all, buyers), fees.fees, admin.id, calendar);
  const attention = interest(all, buyers, calendar);
  return {
    calendar,
    people: everyone,
    fees,
    listings: all,
    sales: traded,
    conversations: conversations(all, buyers, calendar),
    interest: attention,
    changes: changes(all, attention.watches, buyers[0]?.id ?? '', calendar),
    searches: searches(all, buyers, calendar),
    documents: documents(all, traded.made, calendar),
  };
}
