import { rmSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { reviewQueue } from '#features/listing-review/reads.ts';
import { approveListing } from '#features/listings/commands/approve-listing.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testClock } from '#tests/support/fixtures/context.ts';
import { importFile, importScene, listingsCsv, undoFile } from '#tests/support/fixtures/imports.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

await describeOnDatabase('an import and the review of what it changes', (open) => {
  let db: Database;
  let seller: UserActor;
  let admin: UserActor;
  let scene: ReturnType<typeof importScene>;
  const clock = testClock();
  beforeAll(async () => {
    db = await open();
    scene = importScene(db, clock.now);
    admin = await createUser(db, 'admin');
  });
  beforeEach(async () => {
    seller = await createUser(db, 'agent');
    clock.advance(MINUTE);
  });
  afterAll(async () => {
    await db.close();
    rmSync(scene.folder, { recursive: true, force: true });
  });

  const listing = () =>
    db
      .q()
      .selectFrom('properties')
      .select([
        'id',
        'status',
        'price_cents',
        'bedrooms',
        'changed_since_approval_at',
        'needs_approval_since',
      ])
      .where('agent_id', '=', seller.agentId)
      .executeTakeFirstOrThrow();
  const bySeller = (row: Record<string, string>) => importFile(scene, seller, listingsCsv([row]));
  /** A listing of the seller's own import, approved. */
  async function approved(): Promise<string> {
    await bySeller({});
    const { id } = await listing();
    expect(await approveListing(scene.as(admin), { propertyId: id })).toEqual({ ok: true });
    clock.advance(MINUTE);
    return id;
  }
  const isInQueue = async (id: string) =>
    (await reviewQueue(scene.as(admin), { page: 1 })).rows.some((row) => row.id === id);

  it('a seller’s change of an Active listing is marked and waits in the queue, until it is undone', async () => {
    const id = await approved();
    expect(await isInQueue(id)).toBe(false);
    const importId = await bySeller({ bedrooms: '7' });
    expect(await listing()).toMatchObject({
      status: 'Active',
      bedrooms: 7,
      changed_since_approval_at: clock.now(),
      needs_approval_since: null,
    });
    expect(await isInQueue(id)).toBe(true);
    clock.advance(MINUTE);
    await undoFile(scene, seller, importId);
    expect(await listing()).toMatchObject({ bedrooms: 3, changed_since_approval_at: null });
    expect(await isInQueue(id)).toBe(false);
    const history = db.q().selectFrom('property_changes').select('field').where('property_id', '=', id);
    expect((await history.where('reason', '=', 'import undone').execute()).map(({ field }) => field)).toEqual(
      ['bedrooms'],
    );
    const audited = db.q().selectFrom('audit_log').select('after').where('entity_id', '=', id);
    expect(await audited.where('action', '=', 'listing.undo_import_change').execute()).toEqual([
      { after: { fields: ['bedrooms'] } },
    ]);
  });

  it('watchers hear when the price that an import changed comes back', async () => {
    const property_id = await approved();
    const user_id = (await createUser(db, 'buyer')).id;
    await db.q().insertInto('property_watches').values({ property_id, user_id }).execute();
    const importId = await bySeller({ price: '440000' });
    // The import itself goes by the clock of the database; what it told has settled.
    await db.q().updateTable('property_notifications').set({ settles_at: clock.now() }).execute();
    clock.advance(MINUTE);
    await undoFile(scene, seller, importId);
    const news = db.q().selectFrom('property_notifications').select('created_at');
    const told = await news.where('user_id', '=', user_id).execute();
    expect(told).toHaveLength(2);
    expect(told).toContainEqual({ created_at: clock.now() });
  });

  it('a withdrawn listing that a seller’s import changed waits for approval when it is relisted', async () => {
    const id = await approved();
    await withdrawListing(scene.as(seller), { propertyId: id });
    const importId = await bySeller({ bedrooms: '7' });
    expect(await listing()).toMatchObject({ status: 'withdrawn', needs_approval_since: clock.now() });
    clock.advance(MINUTE);
    await undoFile(scene, seller, importId);
    expect(await listing()).toMatchObject({ bedrooms: 3, needs_approval_since: null });
    clock.advance(MINUTE);
    await bySeller({ bedrooms: '8' });
    expect(await relistListing(scene.as(seller), { propertyId: id })).toEqual({ ok: true });
    expect((await listing()).status).toBe('pending');
  });

  it('a listing that the same row withdraws and changes waits for approval as well', async () => {
    const id = await approved();
    const withdrawn = listingsCsv([{ bedrooms: '7' }])
      .replace('photo_urls', 'status')
      .replace(/,\n$/, ',Withdrawn\n');
    await importFile(scene, seller, withdrawn);
    expect(await listing()).toMatchObject({ status: 'withdrawn', bedrooms: 7 });
    await relistListing(scene.as(seller), { propertyId: id });
    expect((await listing()).status).toBe('pending');
  });

  it('a new price alone does not keep a withdrawn listing off the market', async () => {
    const id = await approved();
    await withdrawListing(scene.as(seller), { propertyId: id });
    await bySeller({ price: '440000' });
    expect(await listing()).toMatchObject({ price_cents: 440_000_00, needs_approval_since: null });
    await relistListing(scene.as(seller), { propertyId: id });
    expect((await listing()).status).toBe('Active');
    expect(await isInQueue(id)).toBe(true);
  });

  it('what an administrator imports as Active is approved by that', async () => {
    await approved();
    await importFile(scene, admin, listingsCsv([{ bedrooms: '7' }]), {
      agentId: seller.agentId,
      firstStatus: 'Active',
    });
    expect(await listing()).toMatchObject({ bedrooms: 7, changed_since_approval_at: null });
  });
});
