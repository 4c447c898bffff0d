import type { Insertable } from 'kysely';
import { cycle, type Random, randomBetween, randomInt, seededRandom } from '#illustrator/random.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Calendar } from '../calendar.ts';
import { idGenerator, seedOf, shuffled } from '../ids.ts';
import type { Listing } from '../listings/listings.ts';
import type { Person } from '../people.ts';
import { THREADS, type Thread } from '../words/threads.ts';

export interface Conversations {
  inquiries: Insertable<DB['property_inquiries']>[];
  /** oldest first within a thread, as the database triggers expect */
  messages: Insertable<DB['inquiry_messages']>[];
}

const INQUIRIES = 46;
/** The demo buyers send more inquiries than others. */
const FOR_FIRST_BUYER = 6;
const FOR_SECOND_BUYER = 4;
/** The unread count shown to the first demo buyer. */
const UNREAD_FOR_FIRST_BUYER = 3;

/** Inquiries and messages between buyers and sellers, both answered and pending. */
export function conversations(
  listings: readonly Listing[],
  buyers: readonly Person[],
  calendar: Calendar,
): Conversations {
  const random = seededRandom(seedOf('acre conversations'));
  const rows: Conversations = { inquiries: [], messages: [] };
  const inquiredListings = shuffled(
    random,
    listings.filter(
      ({ timeline, seller }) =>
        timeline.status === 'Active' && timeline.created > 8 && seller.row.status === 'active',
    ),
  ).slice(0, INQUIRIES);
  const inquiryIds = idGenerator('inquiry');
  const messageIds = idGenerator('message');
  let unread = UNREAD_FOR_FIRST_BUYER;
  inquiredListings.forEach((listing, index) => {
    const buyer = buyerFor(buyers, index);
    const thread = threadFor(random, listing, index);
    const began = startedDaysAgo(random, listing, buyer, thread);
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
      daysAgo *= randomBetween(random, 0.55, 0.9);
      const fromSeller = who === 's';
      const sender = fromSeller ? listing.seller.person : buyer;
      if (!sender) return;
      // A seller who has replied has read the inquiry.
      if (fromSeller && opened) opened.opened_at ??= calendar.ago(daysAgo * 1.02);
      let read =
        turn < last ||
        (!fromSeller && random() < 0.5) ||
        (fromSeller && index >= FOR_FIRST_BUYER && random() < 0.6);
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

function buyerFor(buyers: readonly Person[], index: number): Person {
  if (index < FOR_FIRST_BUYER) return cycle(buyers, 0);
  if (index < FOR_FIRST_BUYER + FOR_SECOND_BUYER) return cycle(buyers, 1);
  return cycle(buyers, 2 + (index % (buyers.length - 2)));
}

/** The first demo buyer's threads end with a message from the seller, so that there is something unread. */
function threadFor(random: Random, listing: Listing, index: number): Thread {
  const fitting = THREADS.filter(({ kinds }) => kinds.includes(listing.kind));
  const answered = fitting.filter(({ turns }) => turns.at(-1)?.[0] === 's');
  return index < FOR_FIRST_BUYER ? cycle(answered, index) : cycle(fitting, index + randomInt(random, 3));
}

function startedDaysAgo(random: Random, { timeline }: Listing, buyer: Person, thread: Thread): number {
  const latest = thread.turns.length + 0.4;
  const earliest = Math.min(timeline.listed ?? timeline.created, buyer.joinedDaysAgo - 0.2, 60);
  return earliest > latest ? randomBetween(random, latest, earliest) : earliest;
}
