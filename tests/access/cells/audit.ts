import { expect } from 'vitest';
import { chainAudit } from '#features/audit/commands/chain-audit.ts';
import { checkAudit, recordHistory } from '#features/audit/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

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

  // Nobody adds to the chain but its job.
  'commands/chain-audit#chainAudit': operation({
    cells: systemOnlyRows('the chain'),
    act: (ctx) => chainAudit(ctx),
  }),
};
