import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { refreshSearchStatistics } from './commands/refresh-search-statistics.ts';
import { searchListings, suggest } from './reads.ts';
import { parseCriteria } from './rules.ts';

const listings = {
  maple: {
    address: '120 Maple Street',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
    description: 'Near the observatory.',
  },
  main: {
    address: '7 Main Street',
    city: 'Lebanon',
    state: 'NH',
    zip: '03766',
    description: 'Brick, 100% financed_deal.',
  },
  canon: { address: "9 O'Brien Court", city: 'Cañon City', state: 'CO', zip: '81212', title: 'ÉCOLE Loft' },
  lot: {
    address: '1 Hawkfield Road',
    city: 'Reno',
    state: 'NV',
    zip: '89501',
    type_id: 1,
    description: 'Gravel.',
  },
  hidden: { address: '2 Secret Pass', city: 'Austin', state: 'TX', zip: '78799', status: 'pending' as const },
};

await describeOnDatabase('search results', (open) => {
  let db: Database;
  let ctx: Ctx;
  const names = new Map<string, string>();
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (const [name, facts] of Object.entries(listings)) {
      names.set(await createListing(db, seller.agentId, { description: '', ...facts }), name);
    }
  });
  afterAll(() => db.close());

  const search = async (text: string) => {
    const result = await searchListings(ctx, parseCriteria(new URLSearchParams({ q: text }), []));
    expect(result.total).toBe(result.rows.length);
    return { found: result.rows.map((row) => names.get(row.id)).sort(), corrected: result.correctedTo };
  };

  it.each([
    ['map aus', ['maple']],
    ['aus MAP', ['maple']],
    ['MAPLE street', ['maple']],
    ['street', ['main', 'maple']],
    ['78701', ['maple']],
    ['787', ['maple']],
    ['tx', ['maple']],
    ['observ', ['maple']],
    ['observatory austin 120', ['maple']],
    ['vacant', ['lot']],
    ['vacant lot reno', ['lot']],
    ['single fam', ['canon', 'main', 'maple']],
    ['canon city', ['canon']],
    ['CAÑON', ['canon']],
    ['ecole', ['canon']],
    ["o'brien", ['canon']],
    ['o’brien', ['canon']],
    ['obrien', ['canon']],
    ['120, Maple Street; Austin', ['maple']],
    ['100%', ['main']],
    ['financed_deal', ['main']],
    ['secret', []],
    ['maple lebanon', []],
  ])('%s', async (text, expected) => {
    expect(await search(text)).toEqual({ found: expected, corrected: null });
  });

  it.each([
    ['ain st', ['main']],
    ['bservator', ['maple']],
    ['awkfi', ['lot']],
    ['8701 tex', ['maple']],
    ['8701 tez', []],
    ['acant', ['lot']],
    ['nancedd', []],
  ])('a substring: %s', async (text, expected) => {
    expect(await search(text)).toEqual({ found: expected, corrected: null });
  });

  it.each([
    ['observatroy', 'observatory', ['maple']],
    ['mapel', 'maple', ['maple']],
    ['Mapple Street', 'maple street', ['maple']],
    ['lebannon', 'lebanon', ['main']],
    ['hakfield', 'hawkfield', ['lot']],
    ['vacnat', 'vacant', ['lot']],
    ['austn obsrvatory', 'austin observatory', ['maple']],
  ])('a misspelling: %s is corrected to %s', async (text, corrected, expected) => {
    expect(await search(text)).toEqual({ found: expected, corrected });
  });

  it('never corrects numbers', async () => {
    expect(await search('78702')).toEqual({ found: [], corrected: null });
  });

  describe('handles unusual input without errors or false hits', () => {
    it.each(['%', '_', '%%%', "'", '"', '\\', '!', '&', '|', '<->', ':*', '()', '=t2', '🏠', '\ud800'])(
      '%j',
      async (text) => {
        const { found } = await search(text);
        expect(found).toEqual(text === '=t2' ? await search('t2').then((plain) => plain.found) : []);
      },
    );
    it.each([
      ["maple' | 'main", []],
      ['maple & !austin', ['maple']],
      ['maple:*', ['maple']],
      ['maple <-> street', ['maple']],
      ["'; drop table properties; --", []],
      ["maple\\'", ['maple']],
      ['m%ple', []],
      ['ma_ple', []],
      ['map*le', []],
      ['%aple%', ['maple']],
      ['mapl_', ['maple']],
      ['maple\u0000austin', ['maple']],
      ['🏠 maple', ['maple']],
      ['שלום', []],
      ['\u202emaple', ['maple']],
      ['=b3', []],
    ])('%j', async (text, expected) => {
      expect((await search(text)).found).toEqual(expected);
    });
    it('a control character counts as a space', async () => {
      expect((await search('\u0000')).found).toEqual((await search(' ')).found);
    });
    it('10,000 characters', async () => {
      expect((await search('x'.repeat(10_000))).found).toEqual([]);
      expect((await search('maple '.repeat(2_000))).found).toEqual(['maple']);
      expect((await search('a '.repeat(5_000))).found).toEqual((await search('a')).found);
      expect((await search("'%_\\".repeat(2_500))).found).toEqual([]);
    });
  });

  it('stores and finds a word longer than the dictionary limit', async () => {
    const seller = await createUser(db, 'agent');
    const id = await createListing(db, seller.agentId, { description: 'z'.repeat(9_999) });
    names.set(id, 'long');
    expect((await search('z'.repeat(150))).found).toEqual(['long']);
    await db.q().deleteFrom('properties').where('id', '=', id).execute();
    expect((await search('z'.repeat(150))).found).toEqual([]);
  });

  it('suggests types, cities, ZIPs and addresses from two characters', async () => {
    const labels = async (text: string) => (await suggest(ctx, text)).map(({ kind, label }) => [kind, label]);
    expect(await labels('a')).toEqual([]);
    expect(await labels('aus')).toEqual([['city', 'Austin, TX']]);
    expect(await labels('ca')).toEqual([['city', 'Cañon City, CO']]);
    expect(await labels('colo')).toEqual([['state', 'Colorado']]);
    expect(await labels('0376')).toEqual([['zip', '03766']]);
    expect(await labels('vac')).toEqual([['type', 'Vacant Lot']]);
    expect(await labels('main st')).toEqual([['address', '7 Main Street, Lebanon, NH 03766']]);
    expect(await labels('secret')).toEqual([]);
    expect(await labels("%' | :*")).toEqual([]);
  });

  it('finds the same after refreshing the statistics', async () => {
    await refreshSearchStatistics({ ...ctx, actor: { kind: 'system', name: 'test' } });
    expect((await search('map aus')).found).toEqual(['maple']);
    expect((await search('ain st')).found).toEqual(['main']);
    expect((await search('observatroy')).corrected).toBe('observatory');
  });
});
