import { expect } from 'vitest';
import { proveIdentity } from '#features/factors/commands/prove-identity.ts';
import { proofChoices } from '#features/factors/reads.ts';
import { PASSWORD } from '#tests/support/fixtures/accounts.ts';
import { givePassword } from '../support/credentials.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { HEAD } from '../support/table-rows.ts';

/** Whoever acts, or buyer A for a visitor. */
const ownerOf = ({ scenario, actor }: Cell) =>
  actor === 'anonymous' ? scenario.cast.buyerA : scenario.person(actor);

const everybodyTheirOwn = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated${`  ${outcome}`.repeat(6)}`;

export const cells: Cells = {
  'reads#proofChoices': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
    `,
    act: (ctx) => proofChoices(ctx),
  }),

  // Whose session it is decides: nobody proves anything for somebody else.
  'commands/prove-identity#proveIdentity': operation({
    cells: `
      ${HEAD}
      ${everybodyTheirOwn('one’s own')}
      ${everybodyTheirOwn('wrong password', 'invalid')}
      ${everybodyTheirOwn('another’s session', 'invalid')}
    `,
    async prepare(cell) {
      const { scenario, actor, row } = cell;
      const owner = ownerOf(cell);
      const other = actor === 'buyerB' ? scenario.cast.buyerA : scenario.cast.buyerB;
      await givePassword(scenario, owner);
      await scenario.db.q().deleteFrom('rate_limits').execute();
      return scenario.session(row === 'another’s session' ? other : owner, { proved_at: null });
    },
    act: (ctx, sessionId, { row }) =>
      proveIdentity(ctx, {
        sessionId,
        password: row === 'wrong password' ? 'Not the password 1' : PASSWORD,
        code: '',
        passkey: '',
      }),
    async verify(_, sessionId, { scenario, outcome }) {
      const { proved_at } = await scenario.db
        .q()
        .selectFrom('sessions')
        .select('proved_at')
        .where('id', '=', sessionId)
        .executeTakeFirstOrThrow();
      expect(proved_at !== null).toBe(outcome === 'allowed');
    },
  }),
};
