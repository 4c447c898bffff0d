import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { blockUser, unblockUser } from '#features/inquiries/commands/block-user.ts';
import { markThreadRead } from '#features/inquiries/commands/mark-thread-read.ts';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { sendDigests } from '#features/inquiries/commands/send-digests.ts';
import { sendInquiryNotification } from '#features/inquiries/commands/send-inquiry-notification.ts';
import { correspondence, inbox, thread } from '#features/inquiries/reads.ts';
import { DAY } from '#platform/durations.ts';
import { isUuid } from '#platform/uuid.ts';
import { conversationForRow, createConversation } from '../../support/conversations.ts';
import { type Cells, operation } from '../../support/operation.ts';
import { systemContext } from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { suspendedIfSaid } from '../../support/suspended-buyer.ts';
import { badIdRows, systemOnlyRows } from '../../support/table-rows.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
/** Only the two parties see a conversation; to all others, including administrators, it does not exist (R8). */
const parties = (outcome: string) => `
  ${HEAD}
  A with A              Unauthenticated  ${outcome}   NotFound  ${outcome}   NotFound  NotFound  NotFound
  B with the suspended  Unauthenticated  NotFound  ${outcome}   NotFound  NotFound  ${outcome}   NotFound
  A with A, withdrawn   Unauthenticated  ${outcome}   NotFound  ${outcome}   NotFound  NotFound  NotFound
  A with A, deleted     Unauthenticated  ${outcome}   NotFound  ${outcome}   NotFound  NotFound  NotFound
  ${badIdRows()}
`;

const messagesOf = ({ db }: Scenario, inquiryId: string) =>
  db
    .q()
    .selectFrom('inquiry_messages')
    .select(['id', 'sender_id', 'message', 'is_read'])
    .where('inquiry_id', '=', inquiryId)
    .orderBy('created_at')
    .execute();
const blocks = ({ db }: Scenario) =>
  db.q().selectFrom('user_blocks').select(['user_id', 'blocked_id']).execute();

export const cells: Cells = {
  'reads#correspondence': operation({
    cells: systemOnlyRows('A with A'),
    prepare: ({ scenario }) => createConversation(scenario),
    act: (ctx, { buyerId, propertyId }) => correspondence(ctx, { buyerId, propertyId, since: new Date(0) }),
    mayChange: () => false,
  }),

  // One's own conversations, on one's own side.
  'reads#inbox': operation({
    cells: `
                          ${HEAD}
      as it is for them   Unauthenticated  1  1  1          0          1          0
      as buyer            Unauthenticated  1  1  0          0          0          0
      as seller           Unauthenticated  Forbidden  Forbidden  1  0  1  Forbidden
    `,
    async prepare({ scenario }) {
      await scenario.db.q().deleteFrom('property_inquiries').execute();
      return [await createConversation(scenario), await createConversation(scenario, { others: true })];
    },
    act: (ctx, _, { row }) =>
      inbox(ctx, row === 'as buyer' ? { side: 'buyer' } : row === 'as seller' ? { side: 'seller' } : {}),
    outcomeOf: ({ rows }) => String(rows.length),
    verify(result, conversations, { scenario, actor }) {
      if (!result) return;
      const own = scenario.person(actor).id;
      const mine = conversations.filter(({ buyerId, sellerId }) => [buyerId, sellerId].includes(own));
      for (const { id } of result.rows) expect(mine.map(({ inquiryId }) => inquiryId)).toContain(id);
      expect(result.counts.all).toBe(result.rows.length);
    },
  }),

  'reads#thread': operation({
    cells: parties('allowed'),
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) => thread(ctx, inquiryId),
    mayChange: () => false,
    verify(result, { buyerId }, { scenario, actor }) {
      if (!result) return;
      const asker = scenario.person(actor).id === buyerId;
      expect(result.side).toBe(asker ? 'buyer' : 'seller');
      expect(result.messages.map(({ mine }) => mine)).toEqual(
        asker ? [true, false, true] : [false, true, false],
      );
    },
  }),

  // Only as oneself; not about removed listings, not to or from a suspended seller, and not past a block.
  'commands/reply-inquiry#replyInquiry': operation({
    cells: `
      ${HEAD}
      A with A                  Unauthenticated  allowed        NotFound   allowed        NotFound  NotFound   NotFound
      B with the suspended      Unauthenticated  NotFound       suspended  NotFound       NotFound  read_only  NotFound
      A with A, withdrawn       Unauthenticated  gone           NotFound   gone           NotFound  NotFound   NotFound
      A with A, deleted         Unauthenticated  gone           NotFound   gone           NotFound  NotFound   NotFound
      A with A, buyer blocked   Unauthenticated  blocked        NotFound   blocked_by_me  NotFound  NotFound   NotFound
      A with A, seller blocked  Unauthenticated  blocked_by_me  NotFound   blocked        NotFound  NotFound   NotFound
      A with A, as suspended    Unauthenticated  account_suspended  NotFound  allowed     NotFound  NotFound   NotFound
      ${badIdRows()}
    `,
    prepare: conversationForRow,
    act: (ctx, { inquiryId }, cell) =>
      replyInquiry(suspendedIfSaid(ctx, cell), { inquiryId, message: 'Sunday?', key: randomUUID() }),
    async verify(_, { inquiryId }, { scenario, actor, outcome }) {
      if (outcome !== 'allowed') return;
      expect((await messagesOf(scenario, inquiryId)).at(-1)).toMatchObject({
        sender_id: scenario.person(actor).id,
        message: 'Sunday?',
      });
    },
  }),

  // Of a message that the caller has sent: here the buyer's follow-up.
  'commands/send-inquiry-notification#sendInquiryNotification': operation({
    unaudited: 'the message itself is audited',
    cells: `
      ${HEAD}
      A with A              Unauthenticated  allowed   NotFound  NotFound  NotFound  NotFound  NotFound
      B with the suspended  Unauthenticated  NotFound  allowed   NotFound  NotFound  NotFound  NotFound
      ${badIdRows()}
    `,
    async prepare(cell) {
      const { inquiryId, buyerId } = await conversationForRow(cell);
      if (!isUuid(inquiryId)) return { inquiryId, messageId: randomUUID() };
      const sent = (await messagesOf(cell.scenario, inquiryId)).find(
        ({ sender_id }) => sender_id === buyerId,
      );
      return { inquiryId, messageId: sent?.id ?? randomUUID() };
    },
    act: (ctx, ids) => sendInquiryNotification(ctx, { ...ids, type: 'new_response' }),
  }),

  'commands/mark-thread-read#markThreadRead': operation({
    unaudited: 'what somebody has read is theirs',
    cells: parties('allowed'),
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) => markThreadRead(ctx, { inquiryId }),
    async verify(count, { inquiryId, buyerId }, { scenario, actor }) {
      if (count === undefined) return;
      const own = scenario.person(actor).id;
      // The other party's messages, for the seller including the first one; one's own stay unread by the other party.
      expect(count).toBe(own === buyerId ? 1 : 2);
      for (const { sender_id, is_read } of await messagesOf(scenario, inquiryId))
        expect(is_read).toBe(sender_id !== own);
    },
  }),

  'commands/report-inquiry#reportInquiry': operation({
    cells: parties('allowed'),
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) =>
      reportInquiry(
        { ...ctx, config: { ...ctx.config, relaxedLimits: true } },
        { inquiryId, reason: 'Rude.' },
      ),
    async verify(result, { inquiryId }, { scenario, actor }) {
      if (!result) return;
      const reports = scenario.db.q().selectFrom('inquiry_reports').select('reported_by');
      expect(await reports.where('inquiry_id', '=', inquiryId).execute()).toEqual([
        { reported_by: scenario.person(actor).id },
      ]);
    },
  }),

  'commands/block-user#blockUser': operation({
    cells: parties('allowed'),
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) => blockUser(ctx, { inquiryId }),
    async verify(_, { buyerId, sellerId }, { scenario, actor, outcome }) {
      if (outcome !== 'allowed') return;
      const own = scenario.person(actor).id;
      expect(await blocks(scenario)).toEqual([
        { user_id: own, blocked_id: own === buyerId ? sellerId : buyerId },
      ]);
    },
  }),

  // Unblocking removes one's own block only, not the other party's.
  'commands/block-user#unblockUser': operation({
    cells: `
      ${HEAD}
      A with A, buyer blocked   Unauthenticated  kept  NotFound  gone  NotFound  NotFound  NotFound
      A with A, seller blocked  Unauthenticated  gone  NotFound  kept  NotFound  NotFound  NotFound
      ${badIdRows()}
    `,
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) => unblockUser(ctx, { inquiryId }),
    outcomeOf: async (_, __, { scenario }) => ((await blocks(scenario)).length > 0 ? 'kept' : 'gone'),
    mayChange: (outcome) => outcome === 'gone',
  }),

  // Pending mails are sent by a timer.
  'commands/send-digests#sendDigests': operation({
    cells: systemOnlyRows('what waits'),
    async prepare({ scenario }) {
      const { inquiryId } = await createConversation(scenario);
      const late = new Date(Date.now() - 3 * DAY);
      await scenario.db
        .q()
        .updateTable('inquiry_messages')
        .set({ awaits_digest: true, created_at: late })
        .where('inquiry_id', '=', inquiryId)
        .execute();
    },
    act: (ctx) => sendDigests(ctx),
    async verify(_, __, { scenario }) {
      const system = { ...systemContext(scenario), now: () => new Date() };
      expect(await sendDigests(system)).toBeGreaterThan(0);
    },
  }),
};
