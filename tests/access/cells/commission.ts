import { dropPlannedCommission, setCommission } from '#features/commission/commands/set-commission.ts';
import type { Commission } from '#features/commission/model.ts';
import { adminPercentage, platformCommission } from '#features/commission/reads.ts';
import { commissionVersion } from '#features/commission/rules.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { HEAD, sameForAll } from '../support/table-rows.ts';

const stored: Commission = { percent: 20, effectiveFrom: null, next: { percent: 15, from: '2999-01-01' } };
const seen = commissionVersion(stored);

/** A commission of 20 percent, and the change of it that is planned. */
async function store({ scenario: { db } }: { scenario: Scenario }) {
  await db.q().deleteFrom('commission_settings').execute();
  await db
    .q()
    .insertInto('commission_settings')
    .values({ admin_percentage: 20, next_percentage: 15, next_from: '2999-01-01' })
    .execute();
}

const proven = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}  ProofRequired`;

export const cells: Cells = {
  // What every purchase is computed with.
  'reads#adminPercentage': operation({
    cells: sameForAll(['the percentage', 'allowed']),
    act: (ctx) => adminPercentage(ctx),
    mayChange: () => false,
  }),

  'reads#platformCommission': operation({
    cells: `
      ${HEAD}
      the commission  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx) => platformCommission(ctx),
    mayChange: () => false,
  }),

  'commands/set-commission#setCommission': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('now')}
      ${proven('without a percentage', 'invalid')}
      ${proven('over another change', 'newer')}
    `,
    prepare: store,
    act: (ctx, _, { row }) =>
      setCommission(ctx, {
        percent: row === 'without a percentage' ? '' : '18',
        when: 'now',
        day: '',
        seen: row === 'over another change' ? '' : seen,
      }),
  }),

  'commands/set-commission#dropPlannedCommission': operation({
    cells: `
      ${HEAD}  unproven
      ${proven('the plan')}
      ${proven('another plan', 'newer')}
    `,
    prepare: store,
    act: (ctx, _, { row }) => dropPlannedCommission(ctx, { seen: row === 'the plan' ? seen : '' }),
  }),
};
