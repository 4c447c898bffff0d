import { expect } from 'vitest';
import { reconcileAccounts } from '#features/reconciliation/commands/reconcile-accounts.ts';
import { requestReconciliation } from '#features/reconciliation/commands/request-reconciliation.ts';
import { clearingBalances, reconciliationRuns } from '#features/reconciliation/reads.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { payoutsFor } from '../../support/payouts.ts';
import { paymentsFor, sharedSale } from '../../support/sales.ts';
import { HEAD, systemOnlyRows } from '../../support/table-rows.ts';

const forAdministrators = `
  ${HEAD}
  all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
`;

export const cells: Cells = {
  'reads#reconciliationRuns': operation({
    cells: forAdministrators,
    act: (ctx) => reconciliationRuns(ctx, {}),
    mayChange: () => false,
  }),

  // The provider's name of an account is recorded when it is heard for the first time.
  'reads#clearingBalances': operation({
    cells: forAdministrators,
    prepare: ({ scenario }) => sharedSale(scenario, 'in escrow'),
    act: (ctx, _, { scenario }) =>
      clearingBalances({ ...ctx, payments: paymentsFor(scenario), payouts: payoutsFor(scenario) }),
  }),

  'commands/request-reconciliation#requestReconciliation': operation({
    cells: forAdministrators,
    act: (ctx) => requestReconciliation(ctx),
    async verify(requested, _, { scenario }) {
      const rows = await scenario.db
        .q()
        .selectFrom('audit_log')
        .select('actor_id')
        .where('action', '=', 'reconciliation.request')
        .execute();
      expect(rows).toEqual(requested ? [{ actor_id: scenario.person('admin').id }] : []);
    },
  }),

  // Jobs and the command line alone.
  'commands/reconcile-accounts#reconcileAccounts': operation({
    cells: systemOnlyRows('all accounts'),
    act: (ctx, _, { scenario }) =>
      reconcileAccounts(
        { ...ctx, payments: paymentsFor(scenario), payouts: payoutsFor(scenario) },
        { syncSale: () => Promise.resolve() },
      ),
  }),
};
