import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { abbreviationGroups } from '#platform/postal-abbreviations.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { meaningOf, relaxedListings, searchListings, suggest } from './reads.ts';
import { matchesWord, parseCriteria } from './rules.ts';
import { queryWords } from './words.ts';

const written = abbreviationGroups.filter((group) => group.length > 2);
/** The number of the homes whose suffix is written in full and as usual, and of the one where it is written otherwise. */
const numbersOf = (at: number) => ({ usual: 1_000 + at, odd: 5_000 + at });

await describeOnDatabase('suffixes of streets, however they are written', (open) => {
  let db: Database;
  let ctx: Ctx;
  /** ids by number */
  const stored = new Map<number, string[]>();
  beforeAll(async () => {
    db = await open();
    ctx = testContext(db);
    const seller = await createUser(db, 'agent');
    for (const [at, [full, short, ...variants]] of written.entries()) {
      const { usual, odd } = numbersOf(at);
      for (const [number, suffix] of [
        [usual, full],
        [usual, short],
        [odd, variants.at(-1)],
      ] as const) {
        const facts = { address: `${number} Quillmark ${suffix}`, city: 'Boise', state: 'ID' };
        const id = await createListing(db, seller.agentId, { ...facts, zip: '83702', description: 'Quiet.' });
        stored.set(number, [...(stored.get(number) ?? []), id].sort());
      }
    }
    const others = [
      { address: '1 Elm St', city: 'Rockville Centre', state: 'NY' },
      { address: '2 Elm St', city: 'Harbour Heights', state: 'FL' },
      { address: '3 Central Ave', city: 'Reno', state: 'NV' },
      { address: '4 Elm St', city: 'Reno', state: 'NV', description: 'A library of DVDs.' },
    ];
    for (const facts of others)
      await createListing(db, seller.agentId, { zip: '', description: 'Quiet.', ...facts });
  }, 120_000);
  afterAll(() => db.close());

  const found = async (q: string) => {
    const { rows, correctedTo } = await searchListings(ctx, parseCriteria(new URLSearchParams({ q }), []));
    return { ids: rows.map(({ id }) => id).sort(), correctedTo };
  };

  it.each(written.map((group, at) => [group[0] ?? '', group, at] as const))('%s', async (_, group, at) => {
    for (const word of group) {
      for (const number of Object.values(numbersOf(at))) {
        const ids = stored.get(number);
        for (const typed of [
          `${number} quillmark ${word}`,
          `${number} Quillmark ${word.toUpperCase()}., Boise`,
        ])
          expect([typed, await found(typed)]).toEqual([typed, { ids, correctedTo: null }]);
        for (const typed of [`${number} quillmark ${word}`, `${number} quillmark ${word} boi`]) {
          const suggested = (await suggest(ctx, typed)).flatMap((one) =>
            one.kind === 'address' ? one.propertyId : [],
          );
          expect([typed, suggested.sort()]).toEqual([typed, ids]);
        }
      }
    }
  });

  it('are saved in the form that a new listing has, however it is written', async () => {
    for (const [at, [full = '', short = '', ...variants]] of written.entries()) {
      const number = numbersOf(at).usual;
      for (const variant of variants) {
        const criteria = parseCriteria(new URLSearchParams({ q: `${number} quillmark ${variant}` }), []);
        const meaning = await meaningOf(ctx, criteria);
        const listed = [String(number), 'quillmark', full, short];
        const missing = meaning?.words.filter((word) => !matchesWord(word, 'beginnings', listed));
        expect([variant, missing]).toEqual([variant, []]);
      }
    }
  });

  it.each([
    ['rockville centre', 'Rockville Centre'],
    ['Harbour Heights', 'Harbour Heights'],
    ['centr', 'Central'],
    ['dvd', 'library of DVDs'],
  ])('%s stays the word that it is', async (q, said) => {
    const { rows } = await searchListings(ctx, parseCriteria(new URLSearchParams({ q }), []));
    const listings = await db
      .q()
      .selectFrom('properties')
      .select(['address', 'city', 'description'])
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    const texts = listings.map((one) => Object.values(one).join(' '));
    expect(texts.filter((text) => text.includes(said))).toHaveLength(1);
    for (const text of texts) expect(text).toMatch(new RegExp(`\\b${q}`, 'i'));
  });

  it('full and usual forms, and words that begin them, stay as typed', () => {
    const kept = abbreviationGroups.flatMap((group) => group.slice(0, 2));
    for (const word of [...kept, 'crescent', 'spring', 'bend', 'av', 'boul', 'cent', 'vill', 'express'])
      expect(queryWords(word)).toEqual([word]);
    expect(queryWords('sprng')).toEqual(['spg']);
    expect(queryWords('elm sprng', { unfinished: true })).toEqual(['elm', 'sprng']);
  });

  it('are left out of a search that asks for less as they were typed', async () => {
    const params = new URLSearchParams({ q: 'Quillmark Crt, 99999 Boise' });
    expect((await relaxedListings(ctx, params, []))?.said).toBe('Without “99999”');
    const street = new URLSearchParams({ q: 'Elm St Turnpk' });
    const relaxed = await relaxedListings(ctx, street, []);
    expect([relaxed?.said, relaxed?.params.get('q')]).toEqual(['Without “Turnpk”', 'Elm St']);
  });
});
