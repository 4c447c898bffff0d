import { askPayouts, completeEmptyPayouts } from '#features/payouts/commands/ask-payouts.ts';
import { askTreasury } from '#features/payouts/commands/ask-treasury.ts';
import {
  confirmManualPayout,
  failManualPayout,
  recordBankReference,
} from '#features/payouts/commands/manual-payouts.ts';
import { resumeTakeBacks } from '#features/payouts/commands/resume-take-backs.ts';
import { retryPayout } from '#features/payouts/commands/retry-payout.ts';
import { sendPayout } from '#features/payouts/commands/send-payout.ts';
import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { syncPayout } from '#features/payouts/commands/sync-payout.ts';
import { syncSalePayouts } from '#features/payouts/commands/sync-sale-payouts.ts';
import { takeBackPayout } from '#features/payouts/commands/take-back-payout.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import { payoutMethods } from '#gateways/payouts/port.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { manualPayout, payableSale, payoutsFor } from '../../support/payouts.ts';
import { paymentsFor } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badId, HEAD, systemOnlyRows } from '../../support/table-rows.ts';

const ADMINS = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
/** Administrators alone, who have just proved who they are. */
const withProof = (outcome: string) => `
  ${HEAD}  unproven
  released      ${ADMINS}  ${outcome}  ProofRequired
  unknown id    ${ADMINS}  NotFound  ProofRequired
  no id at all  ${ADMINS}  NotFound  ProofRequired
`;
const NOBODY = '00000000-0000-4000-8000-000000000000';
const paying = (ctx: Ctx, scenario: Scenario) => ({
  ...ctx,
  payments: paymentsFor(scenario),
  payouts: payoutsFor(scenario),
});

export const cells: Cells = {
  'commands/start-payout#startPayout': operation({
    cells: withProof('allowed'),
    prepare: ({ scenario }) => payableSale(scenario),
    act: (ctx, saleId, cell) =>
      startPayout(
        { ...ctx, payments: paymentsFor(cell.scenario), payouts: payoutsOf([]) },
        { saleId: badId(cell, saleId) ?? saleId, runId: null, expectedCents: null },
      ),
  }),

  'commands/retry-payout#retryPayout': operation({
    cells: withProof('not_open'),
    prepare: ({ scenario }) => payableSale(scenario),
    act: (ctx, saleId, cell) => retryPayout(ctx, { saleId: badId(cell, saleId) ?? saleId }),
  }),

  'commands/manual-payouts#recordBankReference': operation({
    cells: withProof('allowed'),
    prepare: ({ scenario }) => manualPayout(scenario),
    act: (ctx, payoutId, cell) =>
      recordBankReference(ctx, { payoutId: badId(cell, payoutId) ?? payoutId, reference: 'WIRE 1' }),
  }),

  'commands/manual-payouts#confirmManualPayout': operation({
    cells: withProof('no_reference'),
    prepare: ({ scenario }) => manualPayout(scenario),
    act: (ctx, payoutId, cell) =>
      confirmManualPayout(ctx, { payoutId: badId(cell, payoutId) ?? payoutId, reference: 'WIRE 1' }),
  }),

  'commands/manual-payouts#failManualPayout': operation({
    cells: withProof('allowed'),
    prepare: ({ scenario }) => manualPayout(scenario),
    act: (ctx, payoutId, cell) =>
      failManualPayout(ctx, {
        payoutId: badId(cell, payoutId) ?? payoutId,
        reason: 'No such account.',
        confirmed: false,
      }),
  }),

  'commands/ask-treasury#askTreasury': operation({
    cells: systemOnlyRows('an account'),
    act: (ctx, _, { scenario }) => {
      const [port] = payoutMethods.map((method) => payoutsFor(scenario).forMethod(method));
      if (!port) throw new Error('There is no provider');
      return askTreasury(paying(ctx, scenario), port);
    },
  }),

  'commands/sync-payout#syncPayout': operation({
    cells: `
      ${HEAD}
      released      ${ADMINS}  allowed
      unknown id    ${ADMINS}  NotFound
      no id at all  ${ADMINS}  NotFound
    `,
    prepare: ({ scenario }) => manualPayout(scenario),
    act: (ctx, payoutId, cell) =>
      syncPayout(paying(ctx, cell.scenario), { payoutId: badId(cell, payoutId) ?? payoutId }),
    mayChange: () => false,
  }),

  // Jobs alone.
  'commands/send-payout#sendPayout': operation({
    cells: systemOnlyRows('a payout'),
    act: (ctx, _, { scenario }) => sendPayout(paying(ctx, scenario), { payoutId: NOBODY }),
  }),
  'commands/ask-payouts#askPayouts': operation({
    cells: systemOnlyRows('all payouts'),
    act: (ctx, _, { scenario }) => askPayouts(paying(ctx, scenario)),
  }),
  'commands/ask-payouts#completeEmptyPayouts': operation({
    cells: systemOnlyRows('all payouts'),
    act: (ctx, _, { scenario }) => completeEmptyPayouts(paying(ctx, scenario)),
  }),
  'commands/resume-take-backs#resumeTakeBacks': operation({
    cells: systemOnlyRows('all payouts'),
    act: (ctx) => resumeTakeBacks(ctx),
  }),
  'commands/sync-sale-payouts#syncSalePayouts': operation({
    cells: systemOnlyRows('a sale'),
    act: (ctx, _, { scenario }) => syncSalePayouts(paying(ctx, scenario), { saleId: NOBODY }),
  }),
  'commands/take-back-payout#takeBackPayout': operation({
    cells: systemOnlyRows('a sale'),
    act: (ctx, _, { scenario }) => takeBackPayout(paying(ctx, scenario), { saleId: NOBODY }),
  }),
};
