import { expect } from 'vitest';
import { acknowledgeBreak } from '#features/reconciliation/commands/acknowledge-break.ts';
import { decideWriteOff } from '#features/reconciliation/commands/decide-write-off.ts';
import { followBreakRefunds } from '#features/reconciliation/commands/follow-break-refunds.ts';
import { linkBreak } from '#features/reconciliation/commands/link-break.ts';
import { openBreak } from '#features/reconciliation/commands/open-break.ts';
import { postBreak } from '#features/reconciliation/commands/post-break.ts';
import { recordTreasuryMove } from '#features/reconciliation/commands/record-treasury-move.ts';
import { refundBreak } from '#features/reconciliation/commands/refund-break.ts';
import { returnSuspense } from '#features/reconciliation/commands/return-suspense.ts';
import { sendBreakRefund } from '#features/reconciliation/commands/send-break-refund.ts';
import { writeOffBreak } from '#features/reconciliation/commands/write-off-break.ts';

import { breakDecision, breakDetail, breakList, openBreakCounts } from '#features/reconciliation/reads.ts';
import { createOrphanBreak, type OrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { newSale, paymentsFor, systemContext } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badId, HEAD, systemOnlyRows } from '../../support/table-rows.ts';

const prepare = ({ scenario }: { scenario: Scenario }) => createOrphanBreak(scenario.db);

/** Administrators alone; nobody finds a break that does not exist. */
const forAdministrators = (outcome = 'allowed') => `
  ${HEAD}
  open          Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}
  unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
  no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
`;
/** The same with a proof of who they are, because it moves money. */
const withProof = (outcome = 'allowed') => `
  ${HEAD}  unproven
  open          Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}  ProofRequired
  unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound  ProofRequired
  no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound  ProofRequired
`;
const idFor = (cell: Parameters<typeof badId>[0], { breakId }: Pick<OrphanBreak, 'breakId'>) =>
  badId(cell, breakId) ?? breakId;

/** A break about what a sale could not follow, of a dollar; otherwise one between the books and a provider. */
async function acknowledged({ scenario, row }: Cell): Promise<Pick<OrphanBreak, 'breakId'>> {
  if (row !== 'a refused move') return createOrphanBreak(scenario.db);
  const { saleId } = await newSale(scenario, 'in escrow');
  await openBreak(systemContext(scenario), {
    kind: 'refused_move',
    subject: saleId,
    saleId,
    detail: 'Confidential',
    expectedCents: 0,
    actualCents: 100,
  });
  const { id } = await scenario.db
    .q()
    .selectFrom('breaks')
    .select('id')
    .where('subject', '=', saleId)
    .executeTakeFirstOrThrow();
  return { breakId: id };
}

const secretFrom = (found: unknown) => expect(JSON.stringify(found) ?? '').not.toContain('Confidential');

export const cells: Cells = {
  'reads#breakList': operation({
    cells: `
      ${HEAD}
      open  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  some
    `,
    prepare,
    act: (ctx) => breakList(ctx, { state: 'open' }),
    outcomeOf: ({ breaks }) => (breaks.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome !== 'some') secretFrom(found);
    },
  }),

  'reads#breakDetail': operation({
    cells: forAdministrators(),
    prepare,
    act: (ctx, found, cell) => breakDetail(ctx, { breakId: idFor(cell, found) }),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome !== 'allowed') secretFrom(found);
    },
  }),

  'reads#openBreakCounts': operation({
    cells: `
      ${HEAD}
      open  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  some
    `,
    prepare,
    act: (ctx) => openBreakCounts(ctx),
    outcomeOf: (counts) => (counts.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),

  'reads#breakDecision': operation({
    cells: forAdministrators(),
    prepare,
    act: (ctx, found, cell) => breakDecision(ctx, { breakId: idFor(cell, found) }),
    mayChange: () => false,
    verify: (found, _, { outcome }) => {
      if (outcome !== 'allowed') secretFrom(found);
    },
  }),

  // Costs and losses above the threshold wait for another administrator.
  'commands/post-break#postBreak': operation({
    cells: `${withProof()}
      a loss        Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  waits    ProofRequired
    `,
    prepare: ({ scenario, row }) =>
      row === 'a loss'
        ? createOrphanBreak(scenario.db, 'adjustment', { amountCents: -9_000_000 })
        : createOrphanBreak(scenario.db),
    act: (ctx, found, cell) =>
      postBreak(ctx, {
        breakId: idFor(cell, found),
        account: cell.row === 'a loss' ? 'chargeback_loss' : 'suspense',
        reason: 'Unknown payer',
      }),
    outcomeOf: (result) => (!result.ok ? result.reason : result.awaitingApproval ? 'waits' : 'allowed'),
  }),

  'commands/write-off-break#writeOffBreak': operation({
    cells: withProof(),
    prepare,
    act: (ctx, found, cell) => writeOffBreak(ctx, { breakId: idFor(cell, found), reason: 'Too small' }),
  }),

  'commands/decide-write-off#decideWriteOff': operation({
    cells: withProof('not_awaiting'),
    prepare,
    act: (ctx, found, cell) => decideWriteOff(ctx, { breakId: idFor(cell, found), approve: true }),
  }),

  'commands/acknowledge-break#acknowledgeBreak': operation({
    cells: `${withProof('not_acknowledged')}
      a refused move  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
    `,
    prepare: acknowledged,
    act: (ctx, found, cell) => acknowledgeBreak(ctx, { breakId: idFor(cell, found), reason: 'Seen' }),
  }),

  'commands/return-suspense#returnSuspense': operation({
    cells: `${withProof('not_acknowledged')}
      a refused move  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  nothing_in_suspense  ProofRequired
    `,
    prepare: acknowledged,
    act: (ctx, found, cell) => returnSuspense(ctx, { breakId: idFor(cell, found), reason: 'Theirs' }),
  }),

  'commands/link-break#linkBreak': operation({
    cells: withProof(),
    prepare,
    act: (ctx, found, cell) =>
      linkBreak(ctx, { breakId: idFor(cell, found), to: { postingId: found.postingId }, reason: 'The same' }),
  }),

  'commands/refund-break#refundBreak': operation({
    cells: withProof(),
    prepare,
    act: (ctx, found, cell) => refundBreak(ctx, { breakId: idFor(cell, found), reason: 'Paid by mistake' }),
  }),

  'commands/record-treasury-move#recordTreasuryMove': operation({
    cells: `
      ${HEAD}  unproven
      a transaction  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed  ProofRequired
      unknown id     Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  no_transaction  ProofRequired
      no id at all   Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  no_transaction  ProofRequired
    `,
    prepare: ({ scenario }) => createOrphanBreak(scenario.db, 'adjustment'),
    act: (ctx, { transactionId }, cell) =>
      recordTreasuryMove(ctx, {
        sentId: null,
        receivedId: badId(cell, transactionId) ?? transactionId,
        reason: 'From the other account',
      }),
  }),

  // A part of reconciling.
  'commands/follow-break-refunds#followBreakRefunds': operation({
    cells: systemOnlyRows('an account'),
    act: (ctx, _, { scenario }) =>
      followBreakRefunds(
        { ...ctx, payments: paymentsFor(scenario) },
        { accountId: '00000000-0000-4000-8000-000000000000' },
      ),
  }),

  // A job; refunds are asked for by administrators and sent by the system.
  'commands/send-break-refund#sendBreakRefund': operation({
    cells: systemOnlyRows('a refund'),
    act: (ctx, _, { scenario }) =>
      sendBreakRefund(
        { ...ctx, payments: paymentsFor(scenario) },
        { refundId: '00000000-0000-4000-8000-000000000000' },
      ),
  }),
};
