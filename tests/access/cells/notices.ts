import { expect } from 'vitest';
import { confirmNotice } from '#features/notices/commands/confirm-notice.ts';
import { postNotice } from '#features/notices/commands/post-notice.ts';
import { openNotices } from '#features/notices/reads.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { badId, badIdRows, HEAD } from '../support/table-rows.ts';

/** A notice for buyer A, and no other. */
async function createNotice({ db, cast }: Scenario): Promise<string> {
  await db.q().deleteFrom('user_notices').execute();
  const { id } = await db
    .q()
    .insertInto('user_notices')
    .values({ user_id: cast.buyerA.id, message: 'Be kind.' })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const prepare = ({ scenario }: { scenario: Scenario }) => createNotice(scenario);

export const cells: Cells = {
  'reads#openNotices': operation({
    cells: `
      ${HEAD}
      of buyer A  Unauthenticated  1  0  0  0  0  0
    `,
    prepare,
    act: (ctx) => openNotices(ctx),
    outcomeOf: ({ length }) => String(length),
    mayChange: () => false,
  }),

  'commands/post-notice#postNotice': operation({
    cells: `
      ${HEAD}
      buyer A  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  allowed
    `,
    act: (ctx, _, { scenario }) => postNotice(ctx, { userId: scenario.cast.buyerA.id, message: 'Be kind.' }),
  }),

  'commands/confirm-notice#confirmNotice': operation({
    cells: `
      ${HEAD}
      of buyer A  Unauthenticated  allowed  NotFound  NotFound  NotFound  NotFound  NotFound
      ${badIdRows().replace(/id in upper case.*$/m, '')}
    `,
    prepare,
    act: (ctx, id, cell) => confirmNotice(ctx, { noticeId: badId(cell, id) ?? id }),
    async verify(_, id, { scenario, outcome }) {
      const { confirmed_at } = await scenario.db
        .q()
        .selectFrom('user_notices')
        .select('confirmed_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      expect(confirmed_at !== null).toBe(outcome === 'allowed');
    },
  }),
};
