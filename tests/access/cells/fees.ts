import { expect } from 'vitest';
import { removeFee } from '#features/fees/commands/remove-fee.ts';
import { saveFee } from '#features/fees/commands/save-fee.ts';
import { setFeeActive } from '#features/fees/commands/set-fee-active.ts';
import { type FeeValues, feeVersion } from '#features/fees/managed.ts';
import { buyerFees, chargedFees, managedFee, managedFees } from '#features/fees/reads.ts';
import { invalidate } from '#platform/cache.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId, HEAD } from '../support/table-rows.ts';

const fee = { fee_type: 'fixed' as const, fixed_cents: 100 };

const stored: Omit<FeeValues, 'name'> = {
  type: 'fixed',
  fixedCents: 100,
  percent: null,
  appliesTo: ['buyer'],
  active: true,
};

/** A fee of its own for each cell. */
async function newFee({ scenario: { db } }: { scenario: Scenario }) {
  const name = `Fee ${Math.random()}`;
  const { id } = await db
    .q()
    .insertInto('service_fees')
    .values({ ...fee, name })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, name };
}

const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;
const proven = (row: string, outcome = 'allowed') => `${forAdministrators(row, outcome)}  ProofRequired`;

export const cells: Cells = {
  'reads#managedFees': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('all')}
    `,
    prepare: newFee,
    act: (ctx) => managedFees(ctx),
    mayChange: () => false,
  }),

  'reads#managedFee': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a fee')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: newFee,
    act: (ctx, { id }, cell) => managedFee(ctx, badId(cell, id) ?? id),
    mayChange: () => false,
  }),

  'commands/save-fee#saveFee': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('a new fee')}
      ${proven('a fee')}
      ${proven('over another change', 'newer')}
      ${proven('without an amount', 'invalid')}
      ${proven('unknown id', 'gone')}
      ${proven('no id at all', 'gone')}
    `,
    prepare: newFee,
    act: (ctx, { id, name }, cell) =>
      saveFee(ctx, {
        id: cell.row === 'a new fee' ? null : (badId(cell, id) ?? id),
        name: cell.row === 'a new fee' ? `${name} too` : name,
        type: 'fixed',
        amount: cell.row === 'without an amount' ? '' : '2.00',
        appliesTo: ['seller'],
        active: false,
        seen: feeVersion({ ...stored, name: cell.row === 'over another change' ? 'Older' : name }),
      }),
  }),

  'commands/set-fee-active#setFeeActive': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('an active fee')}
      ${proven('a fee that is already so', 'already')}
      ${proven('unknown id', 'gone')}
      ${proven('no id at all', 'gone')}
    `,
    prepare: newFee,
    act: (ctx, { id }, cell) =>
      setFeeActive(ctx, { id: badId(cell, id) ?? id, active: cell.row === 'a fee that is already so' }),
  }),

  'commands/remove-fee#removeFee': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('a fee')}
      ${proven('unknown id', 'gone')}
      ${proven('no id at all', 'gone')}
    `,
    prepare: newFee,
    act: (ctx, { id }, cell) => removeFee(ctx, { id: badId(cell, id) ?? id }),
  }),

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
