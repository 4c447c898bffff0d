import { expect } from 'vitest';
import { markAllRead } from '#features/bell/commands/mark-all-read.ts';
import { bellContent, unreadCounts } from '#features/bell/reads.ts';
import { totalUnread } from '#features/bell/rules.ts';
import { createConversation } from '../support/conversations.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '9 Unmistakable Row';

/** A conversation of buyer A with seller A, unread by both, and a notification for buyer A and one for seller B. */
async function createNews(scenario: Scenario): Promise<void> {
  const q = scenario.db.q();
  await q.deleteFrom('property_inquiries').execute();
  await q.deleteFrom('property_notifications').execute();
  await q.deleteFrom('saved_searches').execute();
  await createConversation(scenario);
  const property_id = await scenario.listing('A’s Active', { address: STREET });
  for (const { id } of [scenario.cast.buyerA, scenario.cast.sellerB])
    await q
      .insertInto('property_notifications')
      .values({ user_id: id, property_id, notification_type: 'status_change', message: 'It is now Sold' })
      .execute();
}
const prepare = ({ scenario }: { scenario: Scenario }) => createNews(scenario);

export const cells: Cells = {
  'reads#unreadCounts': operation({
    cells: `
      ${HEAD}
      news  0  2  0  1  1  0  0
    `,
    prepare,
    act: (ctx) => unreadCounts(ctx),
    outcomeOf: (counts) => String(totalUnread(counts)),
    mayChange: () => false,
  }),
  'reads#bellContent': operation({
    cells: `
      ${HEAD}
      news  Unauthenticated  2  0  1  1  0  0
    `,
    prepare,
    act: (ctx) => bellContent(ctx),
    outcomeOf: ({ inquiries, messages, updates, matches }) =>
      String(inquiries.length + messages.length + updates.length + matches.length),
    mayChange: () => false,
    verify: (content, _, { actor }) => {
      const told = JSON.stringify(content) ?? '';
      expect(told.includes(STREET)).toBe(actor === 'buyerA' || actor === 'sellerB');
    },
  }),
  'commands/mark-all-read#markAllRead': operation({
    unaudited: 'what somebody has read is theirs',
    cells: `
      ${HEAD}
      news  Unauthenticated  1  0  0  1  0  0
    `,
    prepare,
    act: (ctx) => markAllRead(ctx),
    outcomeOf: String,
    mayChange: (outcome) => outcome !== '0',
    async verify(_, __, { scenario, actor }) {
      const rows = await scenario.db
        .q()
        .selectFrom('property_notifications')
        .select('user_id')
        .where('is_read', '=', false)
        .execute();
      const { buyerA, sellerB } = scenario.cast;
      const own = actor === 'anonymous' ? '' : scenario.person(actor).id;
      const others = [buyerA.id, sellerB.id].filter((id) => id !== own);
      expect(rows.map(({ user_id }) => user_id).sort()).toEqual(others.sort());
    },
  }),
};
