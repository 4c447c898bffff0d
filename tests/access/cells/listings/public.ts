import { expect } from 'vitest';
import {
  cardsOf,
  featuredListings,
  findVisibleListing,
  listingDetail,
  propertyTypes,
  publicListingsBetween,
  selectableTypes,
  visibleListing,
} from '#features/listings/reads.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { pageRows } from '../listing-history.ts';

const everyKind = `
                              anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
  A’s Active                  shown      shown   shown   shown    shown    shown      shown
  A’s pending                 hidden     hidden  hidden  hidden   hidden   hidden     hidden
  A’s changes_requested       hidden     hidden  hidden  hidden   hidden   hidden     hidden
  A’s rejected                hidden     hidden  hidden  hidden   hidden   hidden     hidden
  A’s withdrawn               hidden     hidden  hidden  hidden   hidden   hidden     hidden
  A’s escrow                  hidden     hidden  hidden  hidden   hidden   hidden     hidden
  A’s Sold                    hidden     hidden  hidden  hidden   hidden   hidden     hidden
  A’s deleted                 hidden     hidden  hidden  hidden   hidden   hidden     hidden
  suspended seller’s Active   hidden     hidden  hidden  hidden   hidden   hidden     hidden
  suspended seller’s Sold     hidden     hidden  hidden  hidden   hidden   hidden     hidden
`;

const card = {
  city: 'Cedar Hollow',
  state: 'OR',
  zip: '97031',
  type_id: null,
  price_cents: 100,
  bedrooms: null,
  bathrooms: null,
  half_baths: 0,
  square_feet: null,
  lot_square_feet: null,
  status: 'Active' as const,
  picture: null,
};

export const cells: Cells = {
  'reads#visibleListing': operation({
    cells: pageRows,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx, id) => visibleListing(ctx, id),
    mayChange: () => false,
    verify: (listing, id) => expect(listing?.id ?? id).toBe(id),
  }),

  'reads#findVisibleListing': operation({
    cells: pageRows,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx, id) => findVisibleListing(ctx, id),
    outcomeOf: (listing) => (listing ? 'allowed' : 'NotFound'),
    mayChange: () => false,
    verify: (listing, id) => expect(listing?.id ?? id).toBe(id),
  }),

  // The owner and administrators see it in every status; everyone else what is or was public.
  'reads#listingDetail': operation({
    cells: `
                                anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      A’s Active                allowed    allowed  allowed  allowed  allowed  allowed    allowed
      A’s pending               404        404      404      allowed  404      404        allowed
      A’s changes_requested     404        404      404      allowed  404      404        allowed
      A’s rejected              404        404      404      allowed  404      404        allowed
      A’s withdrawn             410        410      410      allowed  410      410        allowed
      A’s escrow                allowed    allowed  allowed  allowed  allowed  allowed    allowed
      A’s Sold                  allowed    allowed  allowed  allowed  allowed  allowed    allowed
      A’s deleted               404        404      404      404      404      404        404
      suspended seller’s Active  404       404      404      404      404      allowed    allowed
      suspended seller’s Sold   allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    prepare: ({ scenario, row }) => scenario.listing(row, { review_note: 'between seller and house' }),
    act: (ctx, id) => listingDetail(ctx, id),
    verify: (answer, id, { outcome }) => {
      if (outcome !== 'allowed') expect(Object.keys(answer ?? {}).sort()).toEqual(['ok', 'status']);
      else expect(answer).toMatchObject({ ok: true, listing: { id } });
      expect(JSON.stringify(answer)).not.toContain('between seller and house');
    },
  }),

  'reads#featuredListings': operation({
    cells: everyKind,
    async prepare({ scenario, row }) {
      const { db } = scenario;
      await db
        .q()
        .updateTable('properties')
        .set({ featured_slot: null, featured_at: null })
        .where('featured_slot', 'is not', null)
        .execute();
      const featured = row.endsWith('Active') || row.endsWith('deleted');
      const slot = featured ? { featured_slot: 1, featured_at: new Date() } : {};
      return scenario.listing(row, slot);
    },
    act: (ctx) => featuredListings(ctx),
    outcomeOf: (cards, id) => (cards.some((one) => one.id === id) ? 'shown' : 'hidden'),
    verify: (cards, _, { outcome }) => expect(cards).toHaveLength(outcome === 'shown' ? 1 : 0),
  }),

  'reads#publicListingsBetween': operation({
    cells: everyKind,
    prepare: ({ scenario, row }) => scenario.listing(row),
    act: (ctx, id) => publicListingsBetween(ctx, { from: id, to: id, limit: 10 }),
    outcomeOf: (found, id) => (found.some((one) => one.id === id) ? 'shown' : 'hidden'),
    verify: (found) => {
      for (const one of found ?? []) expect(Object.keys(one).sort()).toEqual(['id', 'picture', 'updatedAt']);
    },
  }),

  'reads#propertyTypes': operation({
    cells: `
                  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      active      shown      shown   shown   shown    shown    shown      shown
      inactive    hidden     hidden  hidden  hidden   hidden   hidden     hidden
    `,
    async prepare({ scenario: { db }, row }) {
      const slug = `type-${Math.random()}`;
      await db
        .q()
        .insertInto('property_types')
        .values({ name: slug, slug, is_active: row === 'active' })
        .execute();
      invalidate(db);
      return slug;
    },
    act: (ctx) => propertyTypes(ctx),
    outcomeOf: (types, slug) => (types.some((type) => type.slug === slug) ? 'shown' : 'hidden'),
  }),

  'reads#selectableTypes': operation({
    cells: `
                  anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      the types   allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    act: (ctx) => selectableTypes(ctx, null),
    mayChange: () => false,
    verify: (types) => expect(types?.every((type) => type.isActive)).toBe(true),
  }),

  // Builds cards from rows another read has selected; reads only fees and types itself.
  'reads#cardsOf': operation({
    cells: `
                  anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      given rows  allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    prepare: async () => [{ ...card, id: '00000000-0000-0000-0000-000000000001', address: '1 Given Row' }],
    act: (ctx, rows) => cardsOf(ctx, rows),
    verify: (cards, rows) => {
      expect(cards?.map((one) => [one.id, one.address])).toEqual(rows.map((row) => [row.id, row.address]));
    },
  }),
};
