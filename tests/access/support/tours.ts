import { randomUUID } from 'node:crypto';
import { DAY, HOUR } from '#platform/durations.ts';
import type { Scenario } from './scenario.ts';

/** Tomorrow's next full hour, so that no two tours are at the same time by chance. */
export const tourTime = (now = Date.now()): Date => new Date(Math.ceil((now + DAY) / HOUR) * HOUR);

/**
 * A tour of buyer A with seller A, or with `others` of buyer B with the suspended seller; all others are removed, because their
 * times are held.
 */
export async function createTour(
  { db, cast, listing }: Scenario,
  { others = false, status = 'requested' as 'requested' | 'proposed' | 'confirmed' } = {},
): Promise<string> {
  await db.q().deleteFrom('tours').execute();
  const [buyer, seller] = others ? [cast.buyerB, cast.suspendedSeller] : [cast.buyerA, cast.sellerA];
  const { id } = await db
    .q()
    .insertInto('tours')
    .values({
      property_id: await listing(others ? 'suspended seller’s Active' : 'A’s Active'),
      agent_id: seller.agentId ?? '',
      buyer_id: buyer.id,
      starts_at: tourTime(),
      time_zone: 'America/Los_Angeles',
      status,
      note: 'We love the unmistakable garden.',
      in_calendars: status === 'confirmed',
      key: randomUUID(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives all sellers of a scenario hours on every day. */
export async function giveHours({ db, cast }: Scenario): Promise<void> {
  const sellers = [cast.sellerA, cast.sellerB, cast.suspendedSeller];
  await db
    .q()
    .insertInto('tour_hours')
    .values(
      sellers.flatMap(({ agentId }) =>
        [0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ agent_id: agentId ?? '', weekday, starts: 0, ends: 1440 })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
