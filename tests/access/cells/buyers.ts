import { expect } from 'vitest';
import { reinstateBuyer } from '#features/buyers/commands/reinstate-buyer.ts';
import { suspendBuyer } from '#features/buyers/commands/suspend-buyer.ts';
import { buyerDetails, buyerList } from '#features/buyers/reads.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { badId, HEAD } from '../support/table-rows.ts';

/** Administrators alone, and only about buyers. */
const forAdministrators = (outcome: string) => `
  ${HEAD}
  a buyer       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}
  a seller      Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
  unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
  no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
`;
const prepare = async ({ scenario, row }: Cell) =>
  row === 'a seller' ? scenario.cast.sellerA : createUser(scenario.db, 'buyer');

export const cells: Cells = {
  'reads#buyerList': operation({
    cells: `
      ${HEAD}
      buyer A  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  1
    `,
    act: (ctx, _, { scenario }) => buyerList(ctx, { q: scenario.cast.buyerA.email }),
    outcomeOf: ({ rows }) => String(rows.length),
    mayChange: () => false,
  }),

  'reads#buyerDetails': operation({
    cells: forAdministrators('allowed'),
    prepare,
    act: (ctx, { id }, cell) => buyerDetails(ctx, { buyerId: badId(cell, id) ?? id }),
    mayChange: () => false,
    verify: (found, { email }, { outcome }) => {
      expect(JSON.stringify(found ?? '').includes(email)).toBe(outcome === 'allowed');
    },
  }),

  'commands/suspend-buyer#suspendBuyer': operation({
    cells: forAdministrators('allowed'),
    prepare,
    act: (ctx, { id }, cell) => suspendBuyer(ctx, { buyerId: badId(cell, id) ?? id, reason: 'Spam' }),
  }),

  'commands/reinstate-buyer#reinstateBuyer': operation({
    cells: forAdministrators('allowed'),
    async prepare(cell) {
      const person = await prepare(cell);
      if (person.role === 'buyer')
        await cell.scenario.db
          .q()
          .updateTable('profiles')
          .set({ suspended_at: new Date(), suspension_reason: 'Spam' })
          .where('id', '=', person.id)
          .execute();
      return person;
    },
    act: (ctx, { id }, cell) => reinstateBuyer(ctx, { buyerId: badId(cell, id) ?? id, reason: 'A mistake' }),
  }),
};
