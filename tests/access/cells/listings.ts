import { expect } from 'vitest';
import { importListings } from '#features/listings/commands/import-listings.ts';
import {
  cardsOf,
  featuredListings,
  listingDetail,
  propertyTypes,
  publicListingsBetween,
} from '#features/listings/reads.ts';
import { forget } from '#platform/kept.ts';
import { type Cells, operation } from '../operation.ts';

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
  // The seller and administrators see every page of theirs, everyone what is or was public (B-007).
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
    prepare: ({ stage, row }) => stage.listing(row, { review_note: 'between seller and house' }),
    act: (ctx, id) => listingDetail(ctx, id),
    holds: (answer, id, { word }) => {
      if (word !== 'allowed') expect(Object.keys(answer ?? {}).sort()).toEqual(['ok', 'status']);
      else expect(answer).toMatchObject({ ok: true, listing: { id } });
      expect(JSON.stringify(answer)).not.toContain('between seller and house');
    },
  }),

  'reads#featuredListings': operation({
    cells: everyKind,
    async prepare({ stage, row }) {
      const { db } = stage;
      await db.q().updateTable('properties').set({ featured_slot: null, featured_at: null }).execute();
      const featured = row.endsWith('Active') || row.endsWith('deleted');
      const slot = featured ? { featured_slot: 1, featured_at: new Date() } : {};
      return stage.listing(row, slot);
    },
    act: (ctx) => featuredListings(ctx),
    says: (cards, id) => (cards.some((one) => one.id === id) ? 'shown' : 'hidden'),
    holds: (cards, _, { word }) => expect(cards).toHaveLength(word === 'shown' ? 1 : 0),
  }),

  'reads#publicListingsBetween': operation({
    cells: everyKind,
    prepare: ({ stage, row }) => stage.listing(row),
    act: (ctx, id) => publicListingsBetween(ctx, { from: id, to: id, limit: 10 }),
    says: (found, id) => (found.some((one) => one.id === id) ? 'shown' : 'hidden'),
    holds: (found) => {
      for (const one of found ?? []) expect(Object.keys(one).sort()).toEqual(['id', 'updatedAt']);
    },
  }),

  'reads#propertyTypes': operation({
    cells: `
                  anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      active      shown      shown   shown   shown    shown    shown      shown
      inactive    hidden     hidden  hidden  hidden   hidden   hidden     hidden
    `,
    async prepare({ stage: { db }, row }) {
      const slug = `type-${Math.random()}`;
      await db
        .q()
        .insertInto('property_types')
        .values({ name: slug, slug, is_active: row === 'active' })
        .execute();
      forget(db);
      return slug;
    },
    act: (ctx) => propertyTypes(ctx),
    says: (types, slug) => (types.some((type) => type.slug === slug) ? 'shown' : 'hidden'),
  }),

  // Makes cards of rows that another read has found and chosen: it reads fees and types alone.
  'reads#cardsOf': operation({
    cells: `
                  anonymous  buyerA   buyerB   sellerA  sellerB  suspended  admin
      given rows  allowed    allowed  allowed  allowed  allowed  allowed    allowed
    `,
    prepare: async () => [{ ...card, id: '00000000-0000-0000-0000-000000000001', address: '1 Given Row' }],
    act: (ctx, rows) => cardsOf(ctx, rows),
    holds: (cards, rows) => {
      expect(cards?.map((one) => [one.id, one.address])).toEqual(rows.map((row) => [row.id, row.address]));
    },
  }),

  // Files are read from the machine's own disk: its operator alone imports, by the command line.
  'commands/import-listings#importListings': operation({
    cells: `
               anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      a file   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    act: (ctx) =>
      importListings(ctx, {
        file: { path: '/etc/hostname', columns: {} as never, rows: 1 },
        sellerEmail: null,
        dryRun: false,
      }),
  }),
};
