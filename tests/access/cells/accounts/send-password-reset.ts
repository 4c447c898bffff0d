import { expect } from 'vitest';
import { sendPasswordReset } from '#features/accounts/commands/send-password-reset.ts';
import { mailbox } from '#tests/support/fixtures/accounts.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { HEAD } from '../../support/table-rows.ts';

export const cells: Cells = {
  'commands/send-password-reset#sendPasswordReset': operation({
    cells: `
      ${HEAD}
      somebody’s  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    prepare: ({ scenario }) => createUser(scenario.db, 'agent'),
    act: (ctx, { id, email }) => sendPasswordReset(ctx, { id, email }),
    async verify(_, { email }, { scenario, outcome }) {
      expect(await mailbox(scenario.db, email)).toHaveLength(outcome === 'allowed' ? 1 : 0);
    },
  }),
};
