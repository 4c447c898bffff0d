import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createActors } from '#tests/support/fixtures/users.ts';
import { ownListingsCsv, ownListingsJson } from './reads.ts';

async function wholeOf(pieces: AsyncIterable<string>): Promise<string> {
  let whole = '';
  for await (const piece of pieces) whole += piece;
  return whole;
}

await describeOnDatabase('the export of a seller’s listings', (open) => {
  let db: Database;
  let seller: Ctx;

  beforeAll(async () => {
    db = await open();
    const { sellerA, sellerB } = await createActors(db);
    seller = testContext(db, { actor: sellerA });
    const own = (facts: Parameters<typeof createListing>[2]) => createListing(db, sellerA.agentId, facts);
    await own({
      source_id: 'S-1',
      address: '1 First Street',
      price_cents: 123_456_78,
      half_baths: 1,
      latitude: 44.5,
      longitude: -121.25,
      description: '=1+1 is "two",\nthe seller says',
      neighborhood: 'Old Mill',
      mls_number: 'A-7',
    });
    await own({ address: '2 Second Street', status: 'pending', bathrooms: null });
    await own({ address: '3 Third Street', deleted_at: new Date() });
    await createListing(db, sellerB.agentId, { address: '4 Fourth Street' });
    const filler = Array.from({ length: 620 }, (_, n) => ({
      agent_id: sellerA.agentId ?? '',
      address: `${n} Long Street`,
      price_cents: 100_00,
      status: 'Sold' as const,
      type_id: 1,
    }));
    await db.q().insertInto('properties').values(filler).execute();
  });
  afterAll(() => db.close());

  it('as CSV has every listing once, in the columns that the import knows, without formulas', async () => {
    const rows: Record<string, string>[] = parse(await wholeOf(ownListingsCsv(seller)), {
      columns: true,
      bom: true,
    });
    expect(rows).toHaveLength(622);
    expect(new Set(rows.map(({ address }) => address)).size).toBe(622);
    expect(rows.find(({ source_id }) => source_id === 'S-1')).toMatchObject({
      price: '123456.78',
      property_type: 'Single Family',
      full_baths: '3',
      half_baths: '1',
      latitude: '44.5',
      longitude: '-121.25',
      description: `'=1+1 is "two",\nthe seller says`,
      neighborhood: 'Old Mill',
      mls_number: 'A-7',
      status: 'Active',
      photo_urls: '',
    });
    expect(rows.find(({ address }) => address === '2 Second Street')).toMatchObject({
      status: 'Incomplete',
      full_baths: '',
      half_baths: '',
    });
  });

  it('as RESO JSON has every listing that is exchanged once, under the name of its source', async () => {
    const { value } = JSON.parse(await wholeOf(ownListingsJson(seller))) as {
      value: Record<string, unknown>[];
    };
    expect(value).toHaveLength(621);
    expect(new Set(value.map(({ ListingKey }) => ListingKey)).size).toBe(621);
    expect(value.find(({ ListingKey }) => ListingKey === 'S-1')).toMatchObject({
      ListPrice: 123_456.78,
      StandardStatus: 'Active',
      BathroomsFull: 3,
      BathroomsHalf: 1,
      Media: [],
    });
    expect(JSON.stringify(value)).not.toContain('Second Street');
  });
});
