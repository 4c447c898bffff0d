import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { queueFollowUps } from '#features/import-runs/follow-up.ts';
import { ownListingsCsv, ownListingsJson } from '#features/listing-export/reads.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { type ImportOptions, runListingsImport } from '#tests/support/fixtures/listings-import.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

await describeOnDatabase('listings that were exported here and are imported again', (open) => {
  let db: Database;
  let folder: string;
  let seller: UserActor;

  const listings = () =>
    db
      .q()
      .selectFrom('properties')
      .selectAll()
      .where('agent_id', '=', seller.agentId)
      .orderBy('id')
      .execute();
  const exported = async (name: string, pieces: AsyncIterable<string>) => {
    let text = '';
    for await (const piece of pieces) text += piece;
    const path = join(folder, name);
    writeFileSync(path, text);
    return path;
  };
  const csv = () => exported('own.csv', ownListingsCsv(testContext(db, { actor: seller })));
  const json = () => exported('own.json', ownListingsJson(testContext(db, { actor: seller })));
  const asSeller = (): ImportOptions => ({ actor: seller, agentId: seller.agentId, firstStatus: 'pending' });
  const imported = async (path: string, options: ImportOptions) => {
    const { result, refusals } = await runListingsImport(db, path, options);
    if (!result.ok) throw new Error(result.reason);
    const { rows, accepted, updated, unchanged } = result.report;
    return { rows, accepted, updated, unchanged, refusals };
  };

  beforeAll(async () => {
    db = await open();
    folder = mkdtempSync(join(tmpdir(), 'acre-round-trip-'));
    seller = await createUser(db, 'agent');
    const type = async (name: string, isActive: boolean) =>
      (
        await db
          .q()
          .insertInto('property_types')
          .values({ name, slug: name.toLowerCase(), is_active: isActive })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id;
    const [castle, barn] = [await type('Castle', true), await type('Barn', false)];
    const own = (facts: Parameters<typeof createListing>[2]) => createListing(db, seller.agentId, facts);
    await own({ source_id: 'NEREN:100', mls_name: 'NEREN', mls_number: '100', zip: '03766', state: 'NH' });
    await own({
      address: '12 ELM ST, REAR',
      city: 'WEST LEBANON',
      state: 'New Hampshire',
      title: '-5 Degrees Inn',
    });
    await own({ address: '@12 Elm Street', description: '=1+1 is "two",\nsays the seller', zip: '' });
    await own({
      type_id: castle,
      half_baths: 3,
      lot_square_feet: 12_345.67,
      latitude: 43.6895461,
      longitude: -72.30153312,
    });
    await own({ type_id: barn, status: 'pending', bathrooms: null, bedrooms: null, square_feet: null });
    await own({ type_id: castle, status: 'escrow' });
    await own({ status: 'Sold', off_market_at: new Date('2025-10-31T15:00:00Z') });
    await own({ status: 'withdrawn', source_id: 'S-2', type_id: barn });
    await own({ status: 'changes_requested' });
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each([
    ['CSV', csv, 9],
    // What waits for approval is not exchanged.
    ['RESO JSON', json, 7],
  ])('as %s change nothing, whoever imports them', async (_, write, rows) => {
    const before = await listings();
    const path = await write();
    const same = { rows, accepted: 0, updated: 0, unchanged: rows, refusals: [] };
    expect(await imported(path, asSeller())).toEqual(same);
    expect(await imported(path, { agentId: seller.agentId })).toEqual(same);
    expect(await listings()).toEqual(before);
  });

  it('still change what was edited in the file, and a type that is off is for no other listing', async () => {
    const path = await csv();
    const lines = readFileSync(path, 'utf8').split('\r\n');
    const edited = lines.map((line) =>
      line.includes('Degrees') ? line.replace('742000.00', '700000.00') : line.replace(',Castle,', ',Barn,'),
    );
    writeFileSync(path, edited.join('\r\n'));
    const { updated, refusals } = await imported(path, { agentId: seller.agentId, dryRun: true });
    expect(updated).toBe(1);
    expect(refusals).toHaveLength(2);
    expect(refusals[0]).toContain('The property type Barn is off');
  });

  it('with the photographs of this marketplace fetch none again', async () => {
    const ctx = testContext(db);
    const [first] = await listings();
    const row = { line: 2, sourceId: 'x', propertyId: first?.id ?? '', outcome: 'unchanged' as const };
    const photoUrls = [`${ctx.config.publicUrl}/media/images/1/2.webp`, 'https://photos.test/1.jpg'];
    const queued = await ctx.db.tx(() =>
      queueFollowUps(ctx, { line: 2, rows: [{ ...row, photoUrls }], refusals: [], notes: new Map() }, null),
    );
    expect(queued).toMatchObject({ places: 0, photos: 1 });
  });
});
