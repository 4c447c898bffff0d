import { randomUUID } from 'node:crypto';
import { checkTreasury } from '#features/payout-runs/commands/check-treasury.ts';
import { createScheduledRun } from '#features/payout-runs/commands/create-scheduled-run.ts';
import { approvePayoutRun, declinePayoutRun } from '#features/payout-runs/commands/decide-payout-run.ts';
import { requestPayoutRun } from '#features/payout-runs/commands/request-payout-run.ts';
import { watchRuns } from '#features/payout-runs/commands/watch-runs.ts';
import { workPayoutRun } from '#features/payout-runs/commands/work-payout-run.ts';
import {
  allPendingIds,
  currentRuns,
  failedPayouts,
  manualPayouts,
  notYetPayable,
  payoutPlan,
  payoutRun,
  pendingPayouts,
  runPayouts,
  stillPending,
  sumOfAllPending,
  treasuryLines,
} from '#features/payout-runs/reads.ts';
import { APPROVAL_LASTS_MS } from '#features/payout-runs/rules.ts';
import { payoutsOf } from '#gateways/payouts/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { manualPayout, payableSale, payoutsFor } from '../support/payouts.ts';
import { paymentsFor } from '../support/sales.ts';
import type { Scenario } from '../support/scenario.ts';
import { HEAD, systemOnlyRows } from '../support/table-rows.ts';

const ADMINS = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
const NOBODY = '00000000-0000-4000-8000-000000000000';
const paying = (ctx: Ctx, scenario: Scenario): CtxWith<'payouts'> => ({
  ...ctx,
  payouts: payoutsFor(scenario),
});

/** What administrators alone may read. */
const read = (act: (ctx: CtxWith<'payouts'>, saleId: string) => Promise<unknown>, outcome = 'allowed') =>
  operation({
    cells: `
      ${HEAD}
      payouts  ${ADMINS}  ${outcome}
    `,
    prepare: ({ scenario }) => payableSale(scenario),
    act: (ctx, saleId, { scenario }) => act(paying(ctx, scenario), saleId),
    mayChange: () => false,
  });

/** A run that waits for a second administrator: asked for by the one of the cells, or by another one. */
async function waitingRun({ scenario, row }: Cell): Promise<string> {
  if (row === 'unknown run') return NOBODY;
  const requester = row === 'own run' ? scenario.cast.admin : await createUser(scenario.db, 'admin');
  const { id } = await scenario.db
    .q()
    .insertInto('payout_runs')
    .values({
      idempotency_key: randomUUID(),
      origin: 'administrator',
      status: 'awaiting_approval',
      payout_count: 1,
      total_cents: 1,
      requested_by: requester.id,
      requested_at: new Date(),
      approval_limit_cents: 0,
      expires_at: new Date(Date.now() + APPROVAL_LASTS_MS),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const cells: Cells = {
  'reads#pendingPayouts': read((ctx) => pendingPayouts(ctx)),
  'reads#notYetPayable': read((ctx) => notYetPayable(ctx)),
  'reads#failedPayouts': read((ctx) => failedPayouts(ctx)),
  'reads#allPendingIds': read((ctx) => allPendingIds(ctx)),
  'reads#sumOfAllPending': read((ctx) => sumOfAllPending(ctx)),
  'reads#stillPending': operation({
    cells: `
      ${HEAD}
      payouts  ${ADMINS}  some
    `,
    prepare: ({ scenario }) => payableSale(scenario),
    act: (ctx, saleId) => stillPending(ctx, { saleIds: [saleId] }),
    outcomeOf: (pending) => (pending.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),
  'reads#treasuryLines': operation({
    cells: `
      ${HEAD}
      accounts  ${ADMINS}  some
    `,
    act: (ctx, _, { scenario }) => treasuryLines(paying(ctx, scenario)),
    outcomeOf: (lines) => (lines.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),
  'reads#currentRuns': read((ctx) => currentRuns(ctx)),
  'reads#runPayouts': read((ctx) => runPayouts(ctx, { runId: NOBODY })),
  'reads#payoutRun': read((ctx) => payoutRun(ctx, { runId: NOBODY }), 'NotFound'),
  'reads#manualPayouts': operation({
    cells: `
      ${HEAD}
      payouts  ${ADMINS}  some
    `,
    prepare: ({ scenario }) => manualPayout(scenario),
    act: (ctx) => manualPayouts(ctx),
    outcomeOf: ({ rows }) => (rows.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),
  // The provider's name of an account is recorded when it is heard for the first time.
  'reads#payoutPlan': operation({
    cells: `
      ${HEAD}
      payouts  ${ADMINS}  some
    `,
    prepare: ({ scenario }) => payableSale(scenario),
    act: (ctx, saleId, { scenario }) => payoutPlan(paying(ctx, scenario), { saleIds: [saleId] }),
    outcomeOf: ({ payouts, refused }) => (payouts.length + refused.length > 0 ? 'some' : 'none'),
    unaudited: 'what a provider calls its account is no decision',
  }),

  'commands/request-payout-run#requestPayoutRun': operation({
    cells: `
      ${HEAD}  unproven
      payouts  ${ADMINS}  changed  ProofRequired
    `,
    prepare: ({ scenario }) => payableSale(scenario),
    act: (ctx, saleId) =>
      requestPayoutRun(
        { ...ctx, payouts: payoutsOf([]) },
        {
          saleIds: [saleId],
          expectedTotalCents: 1,
          typedTotal: '',
          approverId: null,
          idempotencyKey: randomUUID(),
        },
      ),
  }),
  'commands/decide-payout-run#approvePayoutRun': operation({
    cells: `
      ${HEAD}  unproven
      unknown run         ${ADMINS}  NotFound  ProofRequired
      own run             ${ADMINS}  own_run   ProofRequired
      run of a colleague  ${ADMINS}  allowed   ProofRequired
    `,
    prepare: waitingRun,
    act: (ctx, runId) => approvePayoutRun(ctx, { runId }),
  }),
  'commands/decide-payout-run#declinePayoutRun': operation({
    cells: `
      ${HEAD}
      unknown run         ${ADMINS}  NotFound
      own run             ${ADMINS}  own_run
      run of a colleague  ${ADMINS}  allowed
    `,
    prepare: waitingRun,
    act: (ctx, runId) => declinePayoutRun(ctx, { runId, reason: 'No.' }),
  }),

  // The schedule and the jobs alone.
  'commands/create-scheduled-run#createScheduledRun': operation({
    cells: systemOnlyRows('a period'),
    act: (ctx, _, { scenario }) =>
      createScheduledRun(paying(ctx, scenario), {
        period: 'daily 2026-11-23',
        dueAt: new Date('2026-11-23T02:00:00Z'),
        minimumCents: 0,
        isInstant: false,
        setBy: null,
      }),
  }),
  'commands/check-treasury#checkTreasury': operation({
    cells: systemOnlyRows('all accounts'),
    act: (ctx, _, { scenario }) => checkTreasury(paying(ctx, scenario)),
  }),
  'commands/watch-runs#watchRuns': operation({
    cells: systemOnlyRows('all runs'),
    act: (ctx, _, { scenario }) => watchRuns(paying(ctx, scenario)),
  }),
  'commands/work-payout-run#workPayoutRun': operation({
    cells: systemOnlyRows('a run'),
    act: (ctx, _, { scenario }) =>
      workPayoutRun({ ...paying(ctx, scenario), payments: paymentsFor(scenario) }, { runId: NOBODY }),
  }),
};
