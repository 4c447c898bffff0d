import { randomUUID } from 'node:crypto';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { createListing } from '../fixtures/listings.ts';
import { createUser } from '../fixtures/users.ts';

/** Where a random history takes place. */
interface Interest {
  db: Database;
  random: () => number;
  /** events happen between these instants, in no order */
  between: [Date, Date];
  sellers: UserActor[];
  properties: string[];
  buyers: UserActor[];
}

export async function createInterest(
  db: Database,
  random: () => number,
  between: [Date, Date],
): Promise<Interest> {
  const sellers = [await createUser(db, 'agent'), await createUser(db, 'agent')];
  const properties: string[] = [];
  for (const price_cents of [99_999_99, 100_000_00, 742_000_00, 1_999_999_99, 2_000_000_00, 9_000_000_00])
    properties.push(await createListing(db, sellers[properties.length % 2]?.agentId ?? '', { price_cents }));
  const buyers: UserActor[] = [];
  while (buyers.length < 5) buyers.push(await createUser(db, 'buyer'));
  return { db, random, between, sellers, properties, buyers };
}

const WORDS = ['Austin', 'austin  ', 'lake house', 'Lake House', '97031', 'garden', ''];

/** One thing that somebody does with a listing, at a random time, which may be before what was written down already. */
export async function doSomething({ db, random, between, ...people }: Interest): Promise<void> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const [from, to] = between;
  const at = () => new Date(from.getTime() + Math.floor(random() * (to.getTime() - from.getTime())));
  const q = db.q();
  const property_id = pick(people.properties);
  const { id: user_id } = pick(people.buyers);
  switch (Math.floor(random() * 9)) {
    case 0:
    case 1:
    case 2: {
      const viewed_at = at();
      const views = Array.from({ length: 1 + Math.floor(random() * 6) }, () => ({
        property_id,
        viewer: `viewer ${Math.floor(random() * 4)}`,
        viewed_at: random() < 0.5 ? viewed_at : at(),
      }));
      await q.insertInto('property_view_events').values(views).execute();
      return;
    }
    case 3:
      await q
        .insertInto('property_watches')
        .values({ user_id, property_id, created_at: at() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    case 4:
      await q
        .deleteFrom('property_watches')
        .where('user_id', '=', user_id)
        .where('property_id', '=', property_id)
        .execute();
      return;
    case 5:
      await q
        .insertInto('property_inquiries')
        .values({ user_id, property_id, message: 'Is it quiet?', created_at: at(), client_key: randomUUID() })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return;
    case 6:
      await q
        .updateTable('property_inquiries')
        .set({ first_reply_at: at() })
        .where('property_id', '=', property_id)
        .where('user_id', '=', user_id)
        .execute();
      return;
    case 7: {
      const { id } = await createUser(db, 'buyer');
      await q
        .updateTable('profiles')
        .set({ created_at: at(), ...(random() < 0.3 && { role: 'agent' }) })
        .where('id', '=', id)
        .execute();
      return;
    }
    default:
      await q
        .insertInto('search_events')
        .values({
          query: pick(WORDS),
          results: Math.floor(random() * 3),
          filters: JSON.stringify(random() < 0.5 ? {} : { minCents: 300_000_00, maxCents: 500_000_00 }),
          created_at: at(),
        })
        .execute();
  }
}
