import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { approveListings } from '#features/listing-review/commands/approve-listings.ts';
import { decideListing } from '#features/listing-review/commands/decide-listing.ts';
import { reviewSubject } from '#features/listing-review/reads.ts';
import { moveListing } from '#features/listings/commands/move-listing.ts';
import { actionRefusalMessages } from '#features/listings/rules.ts';
import { changeSetting } from '#features/settings/commands/change-setting.ts';
import type { Actor, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { type TestClock, testClock, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createProof } from '#tests/support/fixtures/ownership.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { decideProof } from './commands/decide-proof.ts';
import { proofSubject } from './reads.ts';

await describeOnDatabase('where listings need a verified ownership before they go live', (open) => {
  let db: Database;
  let clock: TestClock;
  let [ruth, seller] = [] as unknown as [UserActor, UserActor];
  let propertyId: string;
  const as = (actor: Actor) => testContext(db, { actor, now: clock.now });
  const system = () => as({ kind: 'system', name: 'jobs' });
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    clock = testClock();
    [ruth, seller] = [await createUser(db, 'admin'), await createUser(db, 'agent')];
    propertyId = await createListing(db, seller.agentId, { status: 'pending' });
    await changeSetting(as(ruth), { name: 'ownership_proof_required', value: true });
  });
  afterAll(() => db.close());

  async function verifyOwnership() {
    const proofId = await createProof(db, { propertyId, agentId: seller.agentId });
    const { version } = await proofSubject(as(ruth), { proofId });
    expect(await decideProof(as(ruth), { proofId, decision: 'verify', version })).toEqual({ ok: true });
  }
  const version = async () => (await reviewSubject(as(ruth), { id: propertyId })).version;
  const statusNow = async () =>
    (
      await db
        .q()
        .selectFrom('properties')
        .select('status')
        .where('id', '=', propertyId)
        .executeTakeFirstOrThrow()
    ).status;

  it('an approval is refused with the reason, also that of a selection', async () => {
    const why = actionRefusalMessages.ownership;
    const seen = await version();
    expect(await decideListing(as(ruth), { propertyId, decision: 'approve', version: seen })).toEqual({
      ok: false,
      reason: 'ownership',
      why,
    });
    expect(await approveListings(as(ruth), [{ propertyId, version: seen }])).toEqual({
      approved: 0,
      rest: [{ propertyId, address: '48 Larkspur Lane', why }],
    });
    expect(await moveListing(as(ruth), { propertyId, event: 'set_active', reason: 'by hand' })).toEqual({
      ok: false,
      reason: 'ownership',
    });
    expect(await statusNow()).toBe('pending');
    await verifyOwnership();
    expect(
      await decideListing(as(ruth), { propertyId, decision: 'approve', version: await version() }),
    ).toEqual({ ok: true, status: 'Active' });
  });

  it('a listing that comes back without one waits for approval', async () => {
    await db
      .q()
      .updateTable('properties')
      .set({ status: 'withdrawn', listed_at: clock.now() })
      .where('id', '=', propertyId)
      .execute();
    expect(await moveListing(as(seller), { propertyId, event: 'relist' })).toEqual({
      ok: true,
      status: 'pending',
    });
  });

  it('what is live stays live, and comes back from escrow', async () => {
    await db.q().updateTable('properties').set({ status: 'escrow' }).where('id', '=', propertyId).execute();
    expect(await moveListing(system(), { propertyId, event: 'release_escrow' })).toEqual({
      ok: true,
      status: 'Active',
    });
  });
});
