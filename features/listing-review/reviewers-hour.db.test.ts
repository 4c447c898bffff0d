import { expect, it } from 'vitest';
import type { Ctx, UserActor } from '#platform/context.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { approveListings } from './commands/approve-listings.ts';
import { decideListing } from './commands/decide-listing.ts';
import { reviewQueue } from './reads.ts';

await describeOnDatabase("reviewers' work", (open) => {
  it("a reviewers' hour: two of them decide 200 listings, none twice, each seller notified once for each", async () => {
    const db = await open();
    const clock = testClock();
    const as = (actor: UserActor): Ctx => testContext(db, { actor, now: clock.now });
    const waiting = (number: number, owner: UserActor) =>
      createListing(db, owner.agentId, {
        address: `${number} Hour Street`,
        zip: String(10_000 + number),
        status: 'pending',
        created_at: clock.now(),
      });
    const [ruth, omar] = [await createUser(db, 'admin'), await createUser(db, 'admin')];
    const sellers = await Promise.all(Array.from({ length: 8 }, () => createUser(db, 'agent')));
    const all = new Map<string, UserActor>();
    for (let number = 0; number < 200; number += 1) {
      const owner = sellers[number % sellers.length];
      if (!owner) throw new Error('There is no seller');
      all.set(await waiting(number, owner), owner);
      clock.advance(1000);
    }
    const decided: string[] = [];
    const refused: string[] = [];

    /** Works through the queue from the top as a person would, with what the page showed. */
    async function work(reviewer: UserActor, turn: number): Promise<void> {
      const ctx = as(reviewer);
      for (;;) {
        const { rows } = await reviewQueue(ctx, { page: 1 });
        if (rows.length === 0) return;
        turn += 1;
        if (turn % 3 === 0) {
          const selected = rows.slice(0, 5).map(({ id, version }) => ({ propertyId: id, version }));
          const { approved, rest } = await approveListings(ctx, selected);
          const late = rest.map(({ propertyId }) => propertyId);
          refused.push(...late);
          const mine = selected.filter(({ propertyId }) => !late.includes(propertyId));
          expect(mine).toHaveLength(approved);
          decided.push(...mine.map(({ propertyId }) => propertyId));
          continue;
        }
        for (const { id, version } of rows.slice(0, 3)) {
          const decision = (['approve', 'request_changes', 'reject'] as const)[turn % 3] ?? 'approve';
          const result = await decideListing(ctx, {
            propertyId: id,
            version,
            decision,
            reason: 'facts',
            message: 'Please correct the facts.',
          });
          if (!result.ok) expect(result).toMatchObject({ reason: 'not_waiting' });
          (result.ok ? decided : refused).push(id);
        }
      }
    }
    await Promise.all([work(ruth, 0), work(omar, 1)]);

    expect(new Set(decided)).toEqual(new Set(all.keys()));
    expect(decided).toHaveLength(200);
    // They met: without that the test shows nothing.
    expect(refused.length).toBeGreaterThan(0);
    const history = await db
      .q()
      .selectFrom('property_changes')
      .select('property_id')
      .where('property_id', 'in', [...all.keys()])
      .where('field', '=', 'status')
      .execute();
    expect(history).toHaveLength(200);
    const mails = await db.q().selectFrom('mail_outbox').select(['to_address', 'subject']).execute();
    expect(mails).toHaveLength(200);
    for (const owner of sellers)
      expect(mails.filter(({ to_address }) => to_address === owner.email)).toHaveLength(25);
    expect(new Set(mails.map(({ subject }) => subject.match(/\d+ Hour Street/)?.[0])).size).toBe(200);
    await db.close();
  }, 120_000);
});
