import { expect } from 'vitest';
import { decideReport } from '#features/inquiries/commands/decide-report.ts';
import { openConversation } from '#features/inquiries/commands/open-conversation.ts';
import { openReportCount, reportQueue } from '#features/inquiries/reads.ts';
import { createConversation } from '../../support/conversations.ts';
import { type Cells, operation } from '../../support/operation.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badId, HEAD } from '../../support/table-rows.ts';

/** Administrators alone, and never what does not exist. */
const forAdministrators = (row: string) => `
  ${HEAD}
  ${row}        Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
  unknown id    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
  no id at all  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
`;

export const cells: Cells = {
  // The parties read their conversation in their inbox; this is the administrators' way, which is recorded.
  'commands/open-conversation#openConversation': operation({
    cells: forAdministrators('A with A'),
    prepare: ({ scenario }) => createConversation(scenario),
    act: (ctx, { inquiryId }, cell) =>
      openConversation(ctx, { inquiryId: badId(cell, inquiryId) ?? inquiryId }),
    async verify(found, { inquiryId }, { scenario, outcome }) {
      expect(found?.messages.length ?? 0).toBe(outcome === 'allowed' ? 2 : 0);
      const opened = await scenario.db
        .q()
        .selectFrom('audit_log')
        .select('actor_id')
        .where('action', '=', 'inquiry.open')
        .where('entity_id', '=', inquiryId)
        .execute();
      expect(opened).toHaveLength(outcome === 'allowed' ? 1 : 0);
    },
  }),

  'commands/decide-report#decideReport': operation({
    cells: `
      ${forAdministrators('of the buyer')}
      to suspend    Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare: ({ scenario }) => createReport(scenario),
    act: (ctx, { reportId }, cell) =>
      decideReport(ctx, {
        reportId: badId(cell, reportId) ?? reportId,
        decision: cell.row === 'to suspend' ? 'suspended' : 'warned',
        note: 'Be kind.',
      }),
    async verify(_, { reportId }, { scenario, outcome, row }) {
      const { decision } = await scenario.db
        .q()
        .selectFrom('inquiry_reports')
        .select('decision')
        .where('id', '=', reportId)
        .executeTakeFirstOrThrow();
      const expected = row === 'to suspend' ? 'suspended' : 'warned';
      expect(decision).toBe(outcome === 'allowed' ? expected : null);
      await scenario.db
        .q()
        .updateTable('agents')
        .set({ status: 'active', status_reason: null })
        .where('id', '=', scenario.cast.sellerA.agentId)
        .execute();
    },
  }),

  'reads#reportQueue': operation({
    cells: `
      ${HEAD}
      one open  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  1
    `,
    prepare: ({ scenario }) => createReport(scenario),
    act: (ctx) => reportQueue(ctx, { state: 'open' }),
    outcomeOf: ({ rows }) => String(rows.length),
    mayChange: () => false,
  }),

  'reads#openReportCount': operation({
    cells: `
      ${HEAD}
      one open  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  1
    `,
    prepare: ({ scenario }) => createReport(scenario),
    act: (ctx) => openReportCount(ctx),
    outcomeOf: ({ count }) => String(count),
    mayChange: () => false,
  }),
};

/** An open report by buyer A about seller A, and no other. */
async function createReport(scenario: Scenario): Promise<{ reportId: string }> {
  await scenario.db.q().deleteFrom('inquiry_reports').execute();
  const { inquiryId, buyerId } = await createConversation(scenario);
  const { id } = await scenario.db
    .q()
    .insertInto('inquiry_reports')
    .values({ inquiry_id: inquiryId, reported_by: buyerId, reason: 'Rude' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { reportId: id };
}
