import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { blockUser, unblockUser } from '#features/inquiries/commands/block-user.ts';
import { markThreadRead } from '#features/inquiries/commands/mark-thread-read.ts';
import { replyInquiry } from '#features/inquiries/commands/reply-inquiry.ts';
import { reportInquiry } from '#features/inquiries/commands/report-inquiry.ts';
import { sendDigests } from '#features/inquiries/commands/send-digests.ts';
import { inbox, thread } from '#features/inquiries/reads.ts';
import { newTalk, talkIn } from '../../conversations.ts';
import { type Cells, operation } from '../../operation.ts';
import { badIds, closed } from '../../sale-rows.ts';
import { systemOf } from '../../sales.ts';
import type { Stage } from '../../stage.ts';

const HEAD = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
/** A conversation is its two parties'; all others, administrators too, find nothing (R8, B-060). */
const parties = (word: string) => `
  ${HEAD}
  A with A              Unauthenticated  ${word}   NotFound  ${word}   NotFound  NotFound  NotFound
  B with the suspended  Unauthenticated  NotFound  ${word}   NotFound  NotFound  ${word}   NotFound
  A with A, withdrawn   Unauthenticated  ${word}   NotFound  ${word}   NotFound  NotFound  NotFound
  A with A, deleted     Unauthenticated  ${word}   NotFound  ${word}   NotFound  NotFound  NotFound
  ${badIds()}
`;

const messagesOf = ({ db }: Stage, inquiryId: string) =>
  db
    .q()
    .selectFrom('inquiry_messages')
    .select(['sender_id', 'message', 'is_read'])
    .where('inquiry_id', '=', inquiryId)
    .orderBy('created_at')
    .execute();
const blocks = ({ db }: Stage) =>
  db.q().selectFrom('user_blocks').select(['user_id', 'blocked_id']).execute();

export const cells: Cells = {
  // Each finds their own side of their own conversations: seller A two, buyers A and B one each.
  'reads#inbox': operation({
    cells: `
                          ${HEAD}
      as it is for them   Unauthenticated  1  1  1          0          1          0
      as buyer            Unauthenticated  1  1  0          0          0          0
      as seller           Unauthenticated  Forbidden  Forbidden  1  0  1  Forbidden
    `,
    async prepare({ stage }) {
      await stage.db.q().deleteFrom('property_inquiries').execute();
      return [await newTalk(stage), await newTalk(stage, { others: true })];
    },
    act: (ctx, _, { row }) =>
      inbox(ctx, row === 'as buyer' ? { side: 'buyer' } : row === 'as seller' ? { side: 'seller' } : {}),
    says: ({ rows }) => String(rows.length),
    holds(result, talks, { stage, actor }) {
      if (!result) return;
      const own = stage.person(actor).id;
      const mine = talks.filter(({ buyerId, sellerId }) => [buyerId, sellerId].includes(own));
      for (const { id } of result.rows) expect(mine.map(({ inquiryId }) => inquiryId)).toContain(id);
      expect(result.counts.all).toBe(result.rows.length);
    },
  }),

  'reads#thread': operation({
    cells: parties('allowed'),
    prepare: talkIn,
    act: (ctx, { inquiryId }) => thread(ctx, inquiryId),
    changes: () => false,
    holds(result, { buyerId }, { stage, actor }) {
      if (!result) return;
      const asker = stage.person(actor).id === buyerId;
      expect(result.side).toBe(asker ? 'buyer' : 'seller');
      expect(result.messages.map(({ mine }) => mine)).toEqual(
        asker ? [true, false, true] : [false, true, false],
      );
    },
  }),

  // Only as oneself (B-052), not about what is gone (B-061), not to or by the suspended (B-098), not over a block.
  'commands/reply-inquiry#replyInquiry': operation({
    cells: `
      ${HEAD}
      A with A                  Unauthenticated  allowed        NotFound   allowed        NotFound  NotFound   NotFound
      B with the suspended      Unauthenticated  NotFound       suspended  NotFound       NotFound  read_only  NotFound
      A with A, withdrawn       Unauthenticated  gone           NotFound   gone           NotFound  NotFound   NotFound
      A with A, deleted         Unauthenticated  gone           NotFound   gone           NotFound  NotFound   NotFound
      A with A, buyer blocked   Unauthenticated  blocked        NotFound   blocked_by_me  NotFound  NotFound   NotFound
      A with A, seller blocked  Unauthenticated  blocked_by_me  NotFound   blocked        NotFound  NotFound   NotFound
      ${badIds()}
    `,
    prepare: talkIn,
    act: (ctx, { inquiryId }) => replyInquiry(ctx, { inquiryId, message: 'Sunday?', key: randomUUID() }),
    async holds(_, { inquiryId }, { stage, actor, word }) {
      if (word !== 'allowed') return;
      expect((await messagesOf(stage, inquiryId)).at(-1)).toMatchObject({
        sender_id: stage.person(actor).id,
        message: 'Sunday?',
      });
    },
  }),

  'commands/mark-thread-read#markThreadRead': operation({
    cells: parties('allowed'),
    prepare: talkIn,
    act: (ctx, { inquiryId }) => markThreadRead(ctx, inquiryId),
    async holds(count, { inquiryId, buyerId }, { stage, actor }) {
      if (count === undefined) return;
      const own = stage.person(actor).id;
      // The other's message, and for the seller the first text; one's own stays unread by the other.
      expect(count).toBe(own === buyerId ? 1 : 2);
      for (const { sender_id, is_read } of await messagesOf(stage, inquiryId))
        expect(is_read).toBe(sender_id !== own);
    },
  }),

  'commands/report-inquiry#reportInquiry': operation({
    cells: parties('allowed'),
    prepare: talkIn,
    act: (ctx, { inquiryId }) =>
      reportInquiry(
        { ...ctx, config: { ...ctx.config, relaxedLimits: true } },
        { inquiryId, reason: 'Rude.' },
      ),
    async holds(result, { inquiryId }, { stage, actor }) {
      if (!result) return;
      const reports = stage.db.q().selectFrom('inquiry_reports').select('reported_by');
      expect(await reports.where('inquiry_id', '=', inquiryId).execute()).toEqual([
        { reported_by: stage.person(actor).id },
      ]);
    },
  }),

  'commands/block-user#blockUser': operation({
    cells: parties('allowed'),
    prepare: talkIn,
    act: (ctx, { inquiryId }) => blockUser(ctx, inquiryId),
    async holds(_, { buyerId, sellerId }, { stage, actor, word }) {
      if (word !== 'allowed') return;
      const own = stage.person(actor).id;
      expect(await blocks(stage)).toEqual([
        { user_id: own, blocked_id: own === buyerId ? sellerId : buyerId },
      ]);
    },
  }),

  // Whoever unblocks takes back their own block; that of the other stays.
  'commands/block-user#unblockUser': operation({
    cells: `
      ${HEAD}
      A with A, buyer blocked   Unauthenticated  kept  NotFound  gone  NotFound  NotFound  NotFound
      A with A, seller blocked  Unauthenticated  gone  NotFound  kept  NotFound  NotFound  NotFound
      ${badIds()}
    `,
    prepare: talkIn,
    act: (ctx, { inquiryId }) => unblockUser(ctx, inquiryId),
    says: async (_, __, { stage }) => ((await blocks(stage)).length > 0 ? 'kept' : 'gone'),
    changes: (word) => word === 'gone',
  }),

  // Mails that wait are sent by the clock.
  'commands/send-digests#sendDigests': operation({
    cells: closed('what waits'),
    async prepare({ stage }) {
      const { inquiryId } = await newTalk(stage);
      const late = new Date(Date.now() - 3 * 86_400_000);
      await stage.db
        .q()
        .updateTable('inquiry_messages')
        .set({ awaits_digest: true, created_at: late })
        .where('inquiry_id', '=', inquiryId)
        .execute();
    },
    act: (ctx) => sendDigests(ctx),
    async holds(_, __, { stage }) {
      const system = { ...systemOf(stage), now: () => new Date() };
      expect(await sendDigests(system)).toBeGreaterThan(0);
    },
  }),
};
