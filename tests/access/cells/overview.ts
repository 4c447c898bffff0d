import { expect } from 'vitest';
import { sumUp } from '#features/overview/commands/sum-up.ts';
import { marketplaceTotals, recentPayouts, waitingWork } from '#features/overview/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

const forAdministrators = `
  ${HEAD}
  reading  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
`;

export const cells: Cells = {
  'commands/sum-up#sumUp': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => sumUp(ctx),
  }),

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
