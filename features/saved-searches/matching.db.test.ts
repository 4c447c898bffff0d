import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { buyerFees } from '#features/fees/reads.ts';
import { baseBounds } from '#features/fees/rules.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import { refreshSearchStatistics } from '#features/search/commands/refresh-search-statistics.ts';
import { searchListings } from '#features/search/reads.ts';
import { parseCriteria } from '#features/search/rules.ts';
import { invalidate } from '#platform/cache.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnEachDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { saveSearch } from './commands/save-search.ts';
import { matchingSearches, publicListing } from './matching.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const LISTINGS = 100;
const SEARCHES = 160;
const streets = 'Maple Oak Hawkfield Silverbrook Élan Foxmoor Northgate O’Hara'.split(' ');
const vocabulary =
  'garage pool poolside kitchen quiet quietly pond barnyard south southern 2car 12 120 brook view viewpoint'.split(
    ' ',
  );
const searchTerms = [
  ...vocabulary,
  'HAWK',
  'élan',
  'elan',
  'ohara',
  'qui',
  'so',
  's',
  'family',
  'lot',
  'multi-fam',
  'commercial',
  'yard',
  'ool',
  'point',
  'field',
  'hawkfeild',
  'silverbrok',
  'lebanon',
  'cedar',
  'oregon',
  '1',
  '!!',
];

function seededRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    chance: (share: number) => next() < share,
  };
}

await describeOnEachDatabase('a listing and the saved searches', (open) => {
  const seed = Date.now() % 2 ** 31;
  const { below, pick, chance } = seededRandom(seed);
  let db: Database;
  let ctx: Ctx;
  let seller: UserActor;
  const listings: string[] = [];
  const queries = new Map<string, string>();

  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    seller = await createUser(db, 'agent');
    await db
      .q()
      .insertInto('service_fees')
      .values([
        { name: 'Buyer Protection', fee_type: 'percentage', percent: 1.5, applies_to: ['buyer'] },
        { name: 'Closing desk', fee_type: 'fixed', fixed_cents: 25_050, applies_to: ['buyer'] },
      ])
      .execute();
    invalidate(db);
    for (let count = 0; count < LISTINGS; count++) {
      const placed = chance(0.8);
      listings.push(
        await createListing(db, seller.agentId, {
          type_id: chance(0.1) ? null : 1 + below(4),
          address: `${1 + below(130)} ${pick(streets)} ${pick(['Street', 'Lane'])}`,
          city: pick(['Lebanon', 'Cedar Hollow', 'Élancourt']),
          description: Array.from({ length: below(6) }, () => pick(vocabulary)).join(' '),
          price_cents: (1 + below(20)) * 5_000_000,
          bedrooms: chance(0.3) ? null : below(6),
          bathrooms: chance(0.3) ? null : below(4),
          latitude: placed ? 40 + below(40) / 10 : null,
          longitude: placed ? -100 + below(40) / 10 : null,
        }),
      );
    }
    await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'test' } });
    let buyer = await createUser(db, 'buyer');
    for (let count = 0; count < SEARCHES; count++) {
      if (count % 30 === 0) buyer = await createUser(db, 'buyer');
      const query = randomQuery();
      const saved = await saveSearch(
        testContext(db, { actor: buyer, config: { ...ctx.config, relaxedLimits: true } }),
        {
          name: `search ${count}`,
          cadence: 'instant',
          query,
        },
      );
      if (saved.ok) queries.set(saved.id, query);
      else expect(saved, query).toEqual({ ok: false, reason: 'finds_nothing' });
    }
  });
  afterAll(() => db.close());

  function randomQuery(): string {
    const params = new URLSearchParams();
    if (chance(0.75))
      params.set('q', Array.from({ length: 1 + below(2) }, () => pick(searchTerms)).join(' '));
    if (chance(0.3)) params.set('type', pick(['vacant-lot', 'single-family', 'multi-family', 'commercial']));
    if (chance(0.2)) params.set('min', String(below(20) * 50_000 + pick([0, 1, 251, 50_251])));
    if (chance(0.2)) params.set('max', String(below(20) * 50_000 + pick([0, 1_001, 50_251])));
    if (chance(0.2)) params.set('beds', String(below(5)));
    if (chance(0.2)) params.set('baths', String(below(4)));
    if (chance(0.2))
      params.set('bbox', `${40 + below(20) / 10},-100,${42 + below(20) / 10},${-98 + below(20) / 10}`);
    if (chance(0.2)) {
      const [south, west] = [40 + below(20) / 10 + 0.03, -100 + below(20) / 10 + 0.03];
      params.set('area', [south, west, south + 1, west + 2, south + 2, west + 1, south + 1, west].join('_'));
    }
    if (chance(0.2)) params.set('sort', 'largest');
    return params.toString();
  }

  it(`match exactly when the property list shows the listing for the search (seed ${seed})`, async () => {
    const bounds = baseBounds(await buyerFees(ctx));
    const types = await propertyTypes(ctx);
    const shownFor = new Map<string, Set<string>>(listings.map((id) => [id, new Set()]));
    for (const [search, query] of queries) {
      const criteria = parseCriteria(new URLSearchParams(query), types, bounds);
      for (let page = 1, pages = 1; page <= pages; page++) {
        const found = await searchListings(ctx, { ...criteria, page });
        pages = found.pageCount;
        for (const { id } of found.rows) shownFor.get(id)?.add(search);
      }
    }
    let pairs = 0;
    for (const id of listings) {
      const listing = await publicListing(ctx, id);
      const found = listing ? await matchingSearches(ctx, listing) : [];
      pairs += found.length;
      const describeIds = (ids: Iterable<string>) =>
        [...ids].map((search) => `${search} ${queries.get(search)}`).sort();
      expect(describeIds(found), listing?.words.join(' ')).toEqual(describeIds(shownFor.get(id) ?? []));
    }
    expect(pairs).toBeGreaterThan(LISTINGS);
  });

  it('compares prices including the current fees', async () => {
    const buyer = testContext(db, { actor: await createUser(db, 'buyer') });
    const saved = await saveSearch(buyer, {
      name: 'Up to',
      cadence: 'instant',
      query: 'max=508000&q=feesoftheday',
    });
    const id = await createListing(db, seller.agentId, {
      price_cents: 50_000_000,
      description: 'feesoftheday',
    });
    const finds = async () => {
      const listing = await publicListing(ctx, id);
      return (listing ? await matchingSearches(ctx, listing) : []).some(
        (one) => saved.ok && one === saved.id,
      );
    };
    // 500,000 + 7,500 + 250.50
    expect(await finds()).toBe(true);
    await db
      .q()
      .updateTable('service_fees')
      .set({ percent: 1.6 })
      .where('name', '=', 'Buyer Protection')
      .execute();
    invalidate(db);
    expect(await finds()).toBe(false);
    await db
      .q()
      .updateTable('service_fees')
      .set({ percent: 1.5 })
      .where('name', '=', 'Buyer Protection')
      .execute();
    invalidate(db);
  });

  it('excludes the searches of its own seller, and listings that are not public', async () => {
    const own = testContext(db, { actor: seller });
    const saved = await saveSearch(own, { name: 'Own', cadence: 'daily', query: 'q=ownershouse' });
    const id = await createListing(db, seller.agentId, { description: 'ownershouse' });
    const listing = await publicListing(ctx, id);
    expect(saved).toMatchObject({ ok: true });
    expect(listing && (await matchingSearches(ctx, listing))).not.toContain(saved.ok && saved.id);
    expect(listing && (await matchingSearches(ctx, { ...listing, sellerId: null }))).toContain(
      saved.ok && saved.id,
    );
    await db.q().updateTable('properties').set({ status: 'withdrawn' }).where('id', '=', id).execute();
    expect(await publicListing(ctx, id)).toBeNull();
  });
});
