import { expect } from 'vitest';
import { openConversation } from '#features/inquiries/commands/open-conversation.ts';
import { createConversation } from '../../support/conversations.ts';
import { type Cells, operation } from '../../support/operation.ts';
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
};
