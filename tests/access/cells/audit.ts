import { expect } from 'vitest';
import { chainAudit } from '#features/audit/commands/chain-audit.ts';
import { exportHistory } from '#features/audit/commands/export-history.ts';
import { historyFiltersFrom } from '#features/audit/history-filters.ts';
import { chainState, checkAudit, historyList, recordHistory } from '#features/audit/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

const nothing = historyFiltersFrom(new URLSearchParams());
const forAdministrators = `
  ${HEAD}
  whole log  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
`;

export const cells: Cells = {
  // Findings name what people did (R17).
  'reads#checkAudit': operation({
    cells: `
      ${HEAD}
      whole log  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => checkAudit(ctx),
    mayChange: () => false,
    verify(report, _, { outcome }) {
      if (outcome === 'allowed') expect(Array.isArray(report?.findings)).toBe(true);
    },
  }),

  'reads#recordHistory': operation({
    cells: `
      ${HEAD}
      a seller  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx, _, { scenario }) =>
      recordHistory(ctx, { entity: 'agent', entityId: scenario.person('sellerA').agentId ?? '' }),
    mayChange: () => false,
  }),

  'reads#historyList': operation({
    cells: forAdministrators,
    act: (ctx) => historyList(ctx, { ...nothing, before: null }),
    mayChange: () => false,
  }),

  'reads#chainState': operation({
    cells: forAdministrators,
    act: (ctx) => chainState(ctx),
    mayChange: () => false,
  }),

  'commands/export-history#exportHistory': operation({
    cells: forAdministrators,
    act: (ctx) => exportHistory(ctx, nothing),
  }),

  // Nobody adds to the chain but its job.
  'commands/chain-audit#chainAudit': operation({
    cells: systemOnlyRows('the chain'),
    act: (ctx) => chainAudit(ctx),
  }),
};
