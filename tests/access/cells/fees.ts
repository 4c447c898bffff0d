import { expect } from 'vitest';
import { buyerFees, chargedFees } from '#features/fees/reads.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cells, operation } from '../support/operation.ts';

const fee = { fee_type: 'fixed' as const, fixed_cents: 100 };

export const cells: Cells = {
  'reads#buyerFees': operation({
    cells: `
                         anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      active, buyers     shown      shown   shown   shown    shown    shown      shown
      active, sellers    hidden     hidden  hidden  hidden   hidden   hidden     hidden
      inactive, buyers   hidden     hidden  hidden  hidden   hidden   hidden     hidden
    `,
    async prepare({ scenario: { db }, row }) {
      const name = `Fee ${Math.random()}`;
      const applies_to = [row.endsWith('sellers') ? 'seller' : 'buyer'];
      const is_active = row.startsWith('active');
      await db
        .q()
        .insertInto('service_fees')
        .values({ ...fee, name, applies_to, is_active })
        .execute();
      invalidate(db);
      return name;
    },
    act: (ctx) => buyerFees(ctx),
    outcomeOf: (fees, name) => (fees.some((one) => one.name === name) ? 'shown' : 'hidden'),
    verify(fees) {
      for (const one of fees ?? [])
        expect(Object.keys(one).sort()).toEqual(['fixedCents', 'id', 'name', 'percent']);
    },
  }),

  // Fees are public: they appear in terms and prices, and each purchase needs both sides.
  'reads#chargedFees': operation({
    cells: `
                         anonymous  buyerA    buyerB    sellerA   sellerB   suspended  admin
      active, buyers     buyer      buyer     buyer     buyer     buyer     buyer      buyer
      active, sellers    seller     seller    seller    seller    seller    seller     seller
      active, both       both       both      both      both      both      both       both
      inactive, buyers   hidden     hidden    hidden    hidden    hidden    hidden     hidden
      inactive, sellers  hidden     hidden    hidden    hidden    hidden    hidden     hidden
    `,
    async prepare({ scenario: { db }, row }) {
      const name = `Fee ${Math.random()}`;
      const [active, side] = row.split(', ');
      const applies_to = side === 'both' ? ['buyer', 'seller'] : [side === 'buyers' ? 'buyer' : 'seller'];
      await db
        .q()
        .insertInto('service_fees')
        .values({ ...fee, name, applies_to, is_active: active === 'active' })
        .execute();
      return name;
    },
    act: (ctx) => chargedFees(ctx),
    outcomeOf(fees, name) {
      const [buyer, seller] = [fees.buyer, fees.seller].map((side) => side.some((one) => one.name === name));
      return buyer && seller ? 'both' : buyer ? 'buyer' : seller ? 'seller' : 'hidden';
    },
    mayChange: () => false,
    verify(fees) {
      for (const one of [...(fees?.buyer ?? []), ...(fees?.seller ?? [])])
        expect(Object.keys(one).sort()).toEqual(['fixedCents', 'id', 'name', 'percent']);
    },
  }),
};
