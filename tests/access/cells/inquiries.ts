import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { inquiryOverview, pendingInquiryCount, unreadMessageCount } from '#features/inquiries/reads.ts';
import type { UserActor } from '#platform/context.ts';
import { type Cells, operation } from '../support/operation.ts';
import type { Scenario } from '../support/scenario.ts';
import { suspendedIfSaid } from '../support/suspended-buyer.ts';
import { badId, HEAD } from '../support/table-rows.ts';

/** An inquiry by a user about a new listing of seller A, with `unread` unread replies. */
async function createInquiry(scenario: Scenario, person: UserActor, unread: number): Promise<void> {
  const q = scenario.db.q();
  const inquiry = await q
    .insertInto('property_inquiries')
    .values({
      property_id: await scenario.listing('A’s Active'),
      user_id: person.id,
      message: 'Is it quiet?',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let at = 0; at < unread; at++)
    await q
      .insertInto('inquiry_messages')
      .values({ inquiry_id: inquiry.id, sender_id: scenario.cast.sellerA.id, message: 'Very.' })
      .execute();
}

/** Of buyer A with two unread messages, of others with one, and two of seller B that wait for seller A. */
async function createInquiries(scenario: Scenario): Promise<void> {
  const q = scenario.db.q();
  await q.deleteFrom('property_inquiries').execute();
  const { buyerA, buyerB, admin, sellerB } = scenario.cast;
  await createInquiry(scenario, buyerA, 2);
  await createInquiry(scenario, buyerB, 1);
  await createInquiry(scenario, admin, 1);
  // Resolved inquiries do not count; these two have no reply yet.
  await createInquiry(scenario, sellerB, 0);
  await createInquiry(scenario, sellerB, 0);
  await q
    .updateTable('property_inquiries')
    .set({ status: 'resolved' })
    .where('user_id', 'in', [buyerA.id, buyerB.id, admin.id])
    .execute();
}

export const cells: Cells = {
  // Everybody counts their own unread messages, administrators anybody's.
  'reads#unreadMessageCount': operation({
    cells: `
                         anonymous        buyerA     buyerB     sellerA    sellerB    suspended  admin
      2 for A, 1 others  Unauthenticated  2          1          0          0          0          1
      of buyer A         Unauthenticated  2          Forbidden  Forbidden  Forbidden  Forbidden  2
      unknown id         Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  0
      no id at all       Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  NotFound
    `,
    prepare: ({ scenario }) => createInquiries(scenario),
    act: (ctx, _, { row, scenario }) => {
      if (row === '2 for A, 1 others') return unreadMessageCount(ctx);
      const { id } = scenario.cast.buyerA;
      return unreadMessageCount(ctx, { buyerId: badId({ row }, id) ?? id });
    },
    outcomeOf: String,
    mayChange: () => false,
  }),

  // The badge of the seller's own inquiries: nobody else has any.
  'reads#pendingInquiryCount': operation({
    cells: `
                                anonymous        buyerA  buyerB  sellerA  sellerB  suspended  admin
      2 for A, 1 for B, 2 wait  Unauthenticated  0       0       2        0        0          0
    `,
    prepare: ({ scenario }) => createInquiries(scenario),
    act: (ctx) => pendingInquiryCount(ctx),
    outcomeOf: String,
    mayChange: () => false,
  }),

  // Whatever others wrote to each other is for administrators alone.
  'reads#inquiryOverview': operation({
    cells: `
      ${HEAD}
      two inquiries  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  2
    `,
    async prepare({ scenario }) {
      await scenario.db.q().deleteFrom('property_inquiries').execute();
      await createInquiry(scenario, scenario.cast.buyerA, 1);
      await createInquiry(scenario, scenario.cast.buyerB, 0);
    },
    act: (ctx) => inquiryOverview(ctx, {}),
    outcomeOf: ({ rows }) => String(rows.length),
    mayChange: () => false,
    verify: (found, _, { actor }) => {
      if (actor !== 'admin') expect(JSON.stringify(found) ?? '').not.toContain('quiet');
    },
  }),

  // Only about listings for sale, and not about one's own; a suspended seller has read access only.
  'commands/send-inquiry#sendInquiry': operation({
    cells: `
                                 anonymous        buyerA       buyerB       sellerA      sellerB      suspended  admin
      A’s Active                 Unauthenticated  allowed      allowed      own          allowed      read_only  allowed
      A’s Active, asked before   Unauthenticated  allowed      allowed      own          allowed      read_only  allowed
      A’s pending                Unauthenticated  NotFound     NotFound     own          NotFound     NotFound   unavailable
      A’s changes_requested      Unauthenticated  NotFound     NotFound     own          NotFound     NotFound   unavailable
      A’s rejected               Unauthenticated  NotFound     NotFound     own          NotFound     NotFound   unavailable
      A’s withdrawn              Unauthenticated  NotFound     NotFound     own          NotFound     NotFound   unavailable
      A’s escrow                 Unauthenticated  unavailable  unavailable  own          unavailable  read_only  unavailable
      A’s Sold                   Unauthenticated  unavailable  unavailable  own          unavailable  read_only  unavailable
      A’s deleted                Unauthenticated  NotFound     NotFound     NotFound     NotFound     NotFound   NotFound
      suspended seller’s Active  Unauthenticated  NotFound     NotFound     NotFound     NotFound     own        suspended
      suspended seller’s Sold    Unauthenticated  unavailable  unavailable  unavailable  unavailable  own        unavailable
      A’s Active, as suspended   Unauthenticated  account_suspended  account_suspended  own  allowed  read_only  allowed
    `,
    async prepare({ scenario, row, actor }) {
      const id = await scenario.listing(row.replace(/, (?:asked before|as suspended)$/, ''));
      const { buyerA, buyerB } = scenario.cast;
      const other = (actor === 'buyerA' ? buyerB : buyerA).id;
      const asked = row.endsWith('asked before')
        ? [other, ...(actor === 'anonymous' ? [] : [scenario.person(actor).id])]
        : [];
      for (const user_id of asked)
        await scenario.db
          .q()
          .insertInto('property_inquiries')
          .values({ property_id: id, user_id, message: 'First.' })
          .execute();
      return { id, key: randomUUID(), asked };
    },
    act: (ctx, { id, key }, cell) =>
      sendInquiry(suspendedIfSaid(ctx, cell), { propertyId: id, message: 'May I come on Sunday?', key }),
    async verify(_, { id, asked }, { scenario, actor, outcome }) {
      const rows = await scenario.db
        .q()
        .selectFrom('property_inquiries as i')
        .leftJoin('inquiry_messages as m', 'm.inquiry_id', 'i.id')
        .select(['i.user_id as asker', 'm.sender_id as added_by'])
        .where('i.property_id', '=', id)
        .execute();
      const own = actor === 'anonymous' ? null : scenario.person(actor).id;
      const before = asked.map((asker) => ({
        asker,
        added_by: outcome === 'allowed' && asker === own ? own : null,
      }));
      const expected =
        outcome === 'allowed' && asked.length === 0 ? [{ asker: own, added_by: null }] : before;
      const byAsker = (a: { asker: string | null }, b: { asker: string | null }) =>
        String(a.asker).localeCompare(String(b.asker));
      expect(rows.sort(byAsker)).toEqual(expected.sort(byAsker));
    },
  }),
};
