import { text } from 'node:stream/consumers';
import { createElement } from 'react';
import { prerenderToNodeStream } from 'react-dom/static';
import { createMemoryRouter, RouterContextProvider, RouterProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import type { Database } from '#platform/db/database.ts';
import { type PropertiesQuery, paths } from '#routing/paths.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import Properties, { loader } from './properties.tsx';

const listings = [
  { address: '1 Elm St', city: 'Boise', slug: 'condo-co-op', price_cents: 300_000_00 },
  { address: '2 Elm St', city: 'Boise', slug: 'vacant-lot', price_cents: 500_000_00 },
  { address: '3 Elm St', city: 'Reno', slug: 'condo-co-op', price_cents: 400_000_00 },
];
const inBoise = ['1 Elm St', '2 Elm St'];

await describeOnDatabase('the list of properties', (open) => {
  let db: Database;
  beforeAll(async () => {
    db = await open();
    const { agentId } = await createUser(db, 'agent');
    await db.q().updateTable('property_types').set({ is_active: true }).execute();
    const types = await propertyTypes(testContext(db));
    for (const [at, { slug, ...facts }] of listings.entries())
      await createListing(db, agentId, {
        ...facts,
        type_id: types.find((type) => type.slug === slug)?.id,
        created_at: new Date(Date.UTC(2026, 9, at + 1)),
        description: 'Quiet.',
        zip: '',
      });
  });
  afterAll(() => db.close());

  /** What the page shows, and the addresses to which it leads, by the names of the links. */
  async function page(query: PropertiesQuery) {
    const path = paths.properties(query);
    const context = new RouterContextProvider();
    const ctx = testContext(db);
    context.set(requestScope, { ctx } as unknown as RequestScope);
    const request = new Request(new URL(path, 'http://localhost'));
    const loaded = await loader({ request, context } as unknown as Parameters<typeof loader>[0]);
    const root = { types: await propertyTypes(ctx), viewer: null };
    const router = createMemoryRouter(
      [
        {
          id: 'root',
          path: '/',
          children: [
            {
              path: '*',
              element: createElement(Properties, { loaderData: loaded } as unknown as Parameters<
                typeof Properties
              >[0]),
            },
          ],
        },
      ],
      { initialEntries: [path], hydrationData: { loaderData: { root } } },
    );
    const { prelude } = await prerenderToNodeStream(createElement(RouterProvider, { router }));
    const html = (await text(prelude)).replaceAll('<!-- -->', '').replaceAll('&amp;', '&');
    const links = Object.fromEntries(
      [...html.matchAll(/<a\b([^>]*)>(.*?)<\/a>/gs)].map(([, attributes = '', content = '']) => [
        /aria-label="([^"]*)"/.exec(attributes)?.[1] ?? content.replace(/<[^>]+>/g, ''),
        /href="([^"]*)"/.exec(attributes)?.[1] ?? '',
      ]),
    );
    return {
      html,
      links,
      addresses: [...html.matchAll(/\d Elm St(?=<)/g)].map(([address]) => address),
      currentType: /class="chip" aria-current="page"[^>]*>([^<]*)/.exec(html)?.[1],
      typeField: /name="type" value="([^"]*)"/.exec(html)?.[1],
      order: /<option value="([^"]*)" selected="">([^<]*)/.exec(html)?.slice(1),
      chips: Object.keys(links).filter((name) => name.startsWith('Remove ')),
    };
  }
  const follow = (href: string | undefined) => page(queryOf(href));
  const queryOf = (href = ''): PropertiesQuery =>
    Object.fromEntries(new URL(href, 'http://localhost').searchParams);
  const sorted = async (href: string | undefined) => (await follow(href)).addresses.sort();

  it('a type that the text names is in the text alone, so that each chip replaces or removes it', async () => {
    const shown = await page({ q: 'condo in Boise' });
    expect(shown.addresses).toEqual(['1 Elm St']);
    expect(shown.currentType).toBe('Condo/Co-op');
    // The next text is not limited to the type of this one.
    expect(shown.typeField).toBeUndefined();
    expect(queryOf(shown.links['Remove Condo/Co-op'])).toEqual({ q: 'Boise' });
    expect(await sorted(shown.links['Remove Condo/Co-op'])).toEqual(inBoise);
    expect(queryOf(shown.links['Search for the words instead'])).toEqual({
      q: 'condo in Boise',
      words: '1',
    });
    expect(queryOf(shown.links['All Properties'])).toEqual({ q: 'Boise' });
    expect(queryOf(shown.links['Vacant Lot'])).toEqual({ q: 'Boise', type: 'vacant-lot' });
    expect(await sorted(shown.links['Vacant Lot'])).toEqual(['2 Elm St']);
  });

  it('a type of the URL takes the place of the one that the text names, with its chip', async () => {
    const shown = await page({ q: 'condo in Boise', type: 'vacant-lot' });
    expect(shown.addresses).toEqual(['2 Elm St']);
    expect(shown).toMatchObject({ currentType: 'Vacant Lot', typeField: 'vacant-lot', chips: [] });
    expect(queryOf(shown.links['All Properties'])).toEqual({ q: 'Boise' });
    expect(queryOf(shown.links['Search for the words instead'])).toEqual({
      q: 'condo in Boise',
      type: 'vacant-lot',
      words: '1',
    });
  });

  it('a text without a type stays as it was typed', async () => {
    const { links, currentType } = await page({ q: 'Boise,', type: 'Condo/Co-op' });
    expect(currentType).toBe('Condo/Co-op');
    expect(queryOf(links['All Properties'])).toEqual({ q: 'Boise,' });
  });

  it('the order of the text is chosen in its list, and another one can take its place', async () => {
    const cheapest = await page({ q: 'cheapest homes' });
    expect(cheapest.addresses).toEqual(['1 Elm St', '3 Elm St', '2 Elm St']);
    expect(cheapest.order).toEqual(['', 'Price: low to high']);
    expect(cheapest.chips).toEqual(['Remove Cheapest first']);
    expect(cheapest.html).toContain('<option value="newest">Newest first</option>');

    const newest = await page({ q: 'cheapest homes', sort: 'newest' });
    expect(newest.addresses).toEqual(['3 Elm St', '2 Elm St', '1 Elm St']);
    expect(newest.order).toEqual(['newest', 'Newest first']);
    expect(newest.chips).toEqual([]);
    expect(newest.links).toHaveProperty('Search for the words instead');

    expect((await page({})).order).toEqual(['', 'Newest first']);
    expect((await page({ sort: 'largest' })).order).toEqual(['largest', 'Largest']);
  });

  it('an area that is drawn is no filter of the panel', async () => {
    const { html } = await page({ area: '30_-100_30_-80_50_-80', beds: 2 });
    expect(html).toContain('Filters (1)');
  });
});
