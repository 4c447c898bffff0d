import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import { below, between, type Chance, cycle, seededChance } from '../../illustrator/chance.ts';
import type { Calendar } from '../calendar.ts';
import { idFor, seedOf, shuffled } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Person } from '../people.ts';
import { THREADS, type Thread } from '../words/threads.ts';

export interface Conversations {
  inquiries: Insertable<DB['property_inquiries']>[];
  /** oldest first within a thread, as the database's own bookkeeping expects */
  messages: Insertable<DB['inquiry_messages']>[];
}

const INQUIRIES = 46;
/** The demo buyers ask more than others. */
const FOR_FIRST_BUYER = 6;
const FOR_SECOND_BUYER = 4;
/** What the first demo buyer's bell shows. */
const UNREAD_FOR_FIRST_BUYER = 3;

/** Inquiries and threads between buyers and sellers, answered and waiting. */
export function conversations(
  listings: readonly Listing[],
  buyers: readonly Person[],
  calendar: Calendar,
): Conversations {
  const chance = seededChance(seedOf('acre conversations'));
  const rows: Conversations = { inquiries: [], messages: [] };
  const asked = shuffled(
    chance,
    listings.filter(
      ({ life, seller }) => life.status === 'Active' && life.created > 8 && seller.row.status === 'active',
    ),
  ).slice(0, INQUIRIES);
  const inquiryIds = idFor('inquiry');
  const messageIds = idFor('message');
  let unread = UNREAD_FOR_FIRST_BUYER;
  asked.forEach((listing, index) => {
    const buyer = askerOf(buyers, index);
    const thread = threadFor(chance, listing, index);
    const began = startOf(chance, listing, buyer, thread);
    const inquiry = inquiryIds();
    rows.inquiries.push({
      id: inquiry,
      property_id: listing.id,
      user_id: buyer.id,
      message: thread.opening.replaceAll('{address}', String(listing.row.address)),
      last_message_at: calendar.ago(began),
      created_at: calendar.ago(began),
      updated_at: calendar.ago(began),
    });
    const opened = rows.inquiries.at(-1);
    const turns = thread.turns;
    const last = turns.length - 1;
    let daysAgo = began;
    turns.forEach(([who, text], turn) => {
      daysAgo *= between(chance, 0.55, 0.9);
      const fromSeller = who === 's';
      const sender = fromSeller ? listing.seller.person : buyer;
      if (!sender) return;
      // Who answers has read the question.
      if (fromSeller && opened) opened.opened_at ??= calendar.ago(daysAgo * 1.02);
      let read =
        turn < last ||
        (!fromSeller && chance() < 0.5) ||
        (fromSeller && index >= FOR_FIRST_BUYER && chance() < 0.6);
      if (fromSeller && index < FOR_FIRST_BUYER && turn === last) {
        read = unread === 0;
        if (!read) unread -= 1;
      }
      rows.messages.push({
        id: messageIds(),
        inquiry_id: inquiry,
        sender_id: sender.id,
        message: text,
        is_read: read,
        read_at: read ? calendar.ago(daysAgo * 0.95) : null,
        created_at: calendar.ago(daysAgo),
      });
    });
  });
  return rows;
}

function askerOf(buyers: readonly Person[], index: number): Person {
  if (index < FOR_FIRST_BUYER) return cycle(buyers, 0);
  if (index < FOR_FIRST_BUYER + FOR_SECOND_BUYER) return cycle(buyers, 1);
  return cycle(buyers, 2 + (index % (buyers.length - 2)));
}

/** The first demo buyer's threads end with the seller's word, so that there is something to read. */
function threadFor(chance: Chance, listing: Listing, index: number): Thread {
  const fitting = THREADS.filter(({ kinds }) => kinds.includes(listing.kind));
  const answered = fitting.filter(({ turns }) => turns.at(-1)?.[0] === 's');
  return index < FOR_FIRST_BUYER ? cycle(answered, index) : cycle(fitting, index + below(chance, 3));
}

function startOf(chance: Chance, { life }: Listing, buyer: Person, thread: Thread): number {
  const latest = thread.turns.length + 0.4;
  const earliest = Math.min(life.listed ?? life.created, buyer.joinedDaysAgo - 0.2, 60);
  return earliest > latest ? between(chance, latest, earliest) : earliest;
}
