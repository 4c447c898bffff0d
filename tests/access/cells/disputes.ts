import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerDispute } from '#features/disputes/commands/answer-dispute.ts';
import { answerDueDisputes } from '#features/disputes/commands/answer-due-disputes.ts';
import { concedeDispute } from '#features/disputes/commands/concede-dispute.ts';
import { submitEvidence } from '#features/disputes/commands/submit-evidence.ts';
import { evidencePreview, openDisputes, saleDisputes } from '#features/disputes/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { disputedSale } from '../support/problem-sales.ts';
import { newSale, paymentsFor } from '../support/sales.ts';
import { badId, HEAD, systemOnlyRows } from '../support/table-rows.ts';

const files = createFolderStore({ folder: join(tmpdir(), 'acre-no-files'), secret: 's' });

interface Disputed {
  disputeId: string;
  evidenceId: string;
}

/** A disputed payment whose evidence, where the row says so, is recorded. */
async function prepare({ scenario, row }: Cell): Promise<Disputed> {
  const { disputeId } = await disputedSale(scenario);
  if (row !== 'answered') return { disputeId, evidenceId: '' };
  await answerDispute(scenario.ctx('admin'), { disputeId, statement: '' });
  const { id: evidenceId } = await scenario.db
    .q()
    .selectFrom('dispute_evidence')
    .select('id')
    .where('dispute_id', '=', disputeId)
    .executeTakeFirstOrThrow();
  return { disputeId, evidenceId };
}

const decision = (decide: (ctx: Ctx, disputeId: string) => Promise<unknown>, unproven = '') =>
  operation({
    cells: `
      ${HEAD}${unproven && '  unproven'}
      ${[
        ['disputed', 'allowed'],
        ['answered', 'answered'],
        ['unknown id', 'NotFound'],
        ['no id at all', 'NotFound'],
      ]
        .map(([row, outcome]) =>
          `${row}  Unauthenticated${'  Forbidden'.repeat(5)}  ${outcome}  ${unproven}`.trimEnd(),
        )
        .join('\n')}
    `,
    prepare,
    act: (ctx, { disputeId }, cell) => decide(ctx, badId(cell, disputeId) ?? disputeId),
  });

export const cells: Cells = {
  'reads#openDisputes': operation({
    cells: `
      ${HEAD}
      open  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  some
    `,
    prepare,
    act: (ctx) => openDisputes(ctx, { page: 1 }),
    outcomeOf: ({ disputes }) => (disputes.length > 0 ? 'some' : 'none'),
    mayChange: () => false,
  }),

  'commands/answer-dispute#answerDispute': decision((ctx, disputeId) =>
    answerDispute(ctx, { disputeId, statement: 'The buyer moved in.' }),
  ),
  'commands/concede-dispute#concedeDispute': decision(
    (ctx, disputeId) => concedeDispute(ctx, { disputeId, reason: 'The buyer is right.' }),
    'ProofRequired',
  ),
  'reads#evidencePreview': operation({
    cells: `
      ${HEAD}
      disputed      Unauthenticated${'  Forbidden'.repeat(5)}  allowed
      unknown id    Unauthenticated${'  Forbidden'.repeat(5)}  NotFound
      no id at all  Unauthenticated${'  Forbidden'.repeat(5)}  NotFound
    `,
    prepare,
    act: (ctx, { disputeId }, cell) =>
      evidencePreview(ctx, { disputeId: badId(cell, disputeId) ?? disputeId }),
    mayChange: () => false,
  }),
  'reads#saleDisputes': operation({
    cells: `
      ${HEAD}
      in escrow  Unauthenticated${'  Forbidden'.repeat(5)}  allowed
    `,
    prepare: ({ scenario }) => newSale(scenario, 'in escrow'),
    act: (ctx, { saleId }) => saleDisputes(ctx, { saleId }),
    mayChange: () => false,
  }),
  'commands/answer-due-disputes#answerDueDisputes': operation({
    cells: systemOnlyRows('all disputes'),
    act: (ctx) => answerDueDisputes(ctx),
  }),
  'commands/submit-evidence#submitEvidence': operation({
    cells: systemOnlyRows('answered'),
    prepare,
    act: (ctx, { evidenceId }, { scenario }) =>
      submitEvidence({ ...ctx, payments: paymentsFor(scenario), files }, { evidenceId }),
  }),
};
