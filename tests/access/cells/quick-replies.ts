import { expect } from 'vitest';
import { deleteQuickReply } from '#features/quick-replies/commands/delete-quick-reply.ts';
import { saveQuickReply } from '#features/quick-replies/commands/save-quick-reply.ts';
import { quickReplies } from '#features/quick-replies/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { badId, HEAD, sellersOnlyRow } from '../support/table-rows.ts';

const unlimited = (ctx: Ctx): Ctx => ({ ...ctx, config: { ...ctx.config, relaxedLimits: true } });

/** The only quick reply is seller A's. */
async function replyOfA({ scenario, row }: Cell): Promise<string> {
  const q = scenario.db.q();
  await q.deleteFrom('quick_replies').execute();
  const { id } = await q
    .insertInto('quick_replies')
    .values({ agent_id: scenario.cast.sellerA.agentId ?? '', name: 'Viewing', text: 'On Sunday.' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return badId({ row }, id) ?? id;
}

const nameOfA = async ({ scenario }: Cell) =>
  (await scenario.db.q().selectFrom('quick_replies').select('name').orderBy('created_at').execute()).map(
    ({ name }) => name,
  );

export const cells: Cells = {
  // Each seller sees their own.
  'reads#quickReplies': operation({
    cells: `
      ${HEAD}
      A’s  Unauthenticated  Forbidden  Forbidden  1  0  0  Forbidden
    `,
    prepare: replyOfA,
    act: (ctx) => quickReplies(ctx),
    outcomeOf: ({ length }) => String(length),
    mayChange: () => false,
  }),
  'commands/save-quick-reply#saveQuickReply': operation({
    cells: `
      ${sellersOnlyRow('a new one', 'allowed', 'Forbidden')}
      A’s               Unauthenticated  Forbidden  Forbidden  allowed  gone  Forbidden  Forbidden
      unknown id        Unauthenticated  Forbidden  Forbidden  gone     gone  Forbidden  Forbidden
      no id at all      Unauthenticated  Forbidden  Forbidden  gone     gone  Forbidden  Forbidden
      id in upper case  Unauthenticated  Forbidden  Forbidden  gone     gone  Forbidden  Forbidden
    `,
    prepare: replyOfA,
    act: (ctx, id, { row }) =>
      saveQuickReply(unlimited(ctx), {
        of: row === 'a new one' ? null : { id, version: 1 },
        name: 'Changed',
        text: 'On Monday.',
      }),
    async verify(_, __, cell) {
      const changed = cell.row === 'a new one' ? ['Viewing', 'Changed'] : ['Changed'];
      expect((await nameOfA(cell)).sort()).toEqual(
        (cell.outcome === 'allowed' ? changed : ['Viewing']).sort(),
      );
    },
  }),
  // What is not theirs is left alone without a word.
  'commands/delete-quick-reply#deleteQuickReply': operation({
    cells: sellersOnlyRow('A’s', 'allowed', 'Forbidden'),
    prepare: replyOfA,
    act: (ctx, id) => deleteQuickReply(unlimited(ctx), { id }),
    async verify(_, __, cell) {
      expect(await nameOfA(cell)).toEqual(cell.actor === 'sellerA' ? [] : ['Viewing']);
    },
  }),
};
