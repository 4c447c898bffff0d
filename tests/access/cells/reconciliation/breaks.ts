import { expect } from 'vitest';
import { decideWriteOff } from '#features/reconciliation/commands/decide-write-off.ts';
import { linkBreak } from '#features/reconciliation/commands/link-break.ts';
import { postBreak } from '#features/reconciliation/commands/post-break.ts';
import { recordTreasuryMove } from '#features/reconciliation/commands/record-treasury-move.ts';
import { refundBreak } from '#features/reconciliation/commands/refund-break.ts';
import { sendBreakRefund } from '#features/reconciliation/commands/send-break-refund.ts';
import { writeOffBreak } from '#features/reconciliation/commands/write-off-break.ts';

import { breakDecision, breakDetail, breakList, openBreakCounts } from '#features/reconciliation/reads.ts';
import { createOrphanBreak, type OrphanBreak } from '#tests/support/fixtures/breaks.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { paymentsFor } from '../../support/sales.ts';
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
const idFor = (cell: Parameters<typeof badId>[0], { breakId }: OrphanBreak) =>
  badId(cell, breakId) ?? breakId;

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

  'commands/post-break#postBreak': operation({
    cells: withProof(),
    prepare,
    act: (ctx, found, cell) =>
      postBreak(ctx, { breakId: idFor(cell, found), account: 'suspense', reason: 'Unknown payer' }),
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
