import { expect } from 'vitest';
import { marketplaceTotals, recentPayouts, waitingWork } from '#features/overview/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

const forAdministrators = `
  ${HEAD}
  reading  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
`;

export const cells: Cells = {
  'reads#marketplaceTotals': operation({
    cells: forAdministrators,
    act: (ctx) => marketplaceTotals(ctx),
    mayChange: () => false,
    verify: (totals, _, { outcome }) => {
      if (outcome === 'allowed') expect(totals).toMatchObject({ sellers: expect.any(Number) });
    },
  }),

  'reads#recentPayouts': operation({
    cells: forAdministrators,
    act: (ctx) => recentPayouts(ctx),
    mayChange: () => false,
  }),

  'reads#waitingWork': operation({
    cells: forAdministrators,
    act: (ctx) => waitingWork(ctx),
    mayChange: () => false,
  }),
};
