import { expect } from 'vitest';
import { searchOffice } from '#features/office-search/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

export const cells: Cells = {
  'reads#searchOffice': operation({
    cells: `
      ${HEAD}
      a buyer  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  found
    `,
    act: (ctx, _, { scenario }) => searchOffice(ctx, { q: scenario.cast.buyerA.email }),
    outcomeOf: (records) => (records.length > 0 ? 'found' : 'nothing'),
    mayChange: () => false,
    verify: (records, _, { scenario, outcome }) => {
      if (outcome !== 'found') expect(JSON.stringify(records) ?? '').not.toContain(scenario.cast.buyerA.id);
    },
  }),
};
