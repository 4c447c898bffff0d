import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { unreadCount } from '#features/inquiries/reads.ts';
import type { UserActor } from '#platform/context.ts';
import { type Cells, operation } from '../operation.ts';
import type { Stage } from '../stage.ts';

/** An inquiry of a person about a new listing of seller A, with so many answers that are not read yet. */
async function thread(stage: Stage, person: UserActor, unread: number): Promise<void> {
  const q = stage.db.q();
  const inquiry = await q
    .insertInto('property_inquiries')
    .values({ property_id: await stage.listing('A’s Active'), user_id: person.id, message: 'Is it quiet?' })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (let at = 0; at < unread; at++)
    await q
      .insertInto('inquiry_messages')
      .values({ inquiry_id: inquiry.id, sender_id: stage.cast.sellerA.id, message: 'Very.' })
      .execute();
}

export const cells: Cells = {
  // The bell counts a buyer's own unread messages and the seller's own inquiries that wait (B-017, B-018, B-059).
  'reads#unreadCount': operation({
    cells: `
                               anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin
      2 for A, 1 for B, 2 wait   0        2       1       2        0        0          0
    `,
    async prepare({ stage }) {
      const q = stage.db.q();
      await q.deleteFrom('property_inquiries').execute();
      const { buyerA, buyerB, admin, sellerB } = stage.cast;
      await thread(stage, buyerA, 2);
      await thread(stage, buyerB, 1);
      await thread(stage, admin, 1);
      // Answered ones wait no more; these two have no answer yet.
      await thread(stage, sellerB, 0);
      await thread(stage, sellerB, 0);
      await q
        .updateTable('property_inquiries')
        .set({ status: 'resolved' })
        .where('user_id', 'in', [buyerA.id, buyerB.id, admin.id])
        .execute();
    },
    act: (ctx) => unreadCount(ctx),
    says: String,
  }),

  // Only about what is for sale, never about one's own; a suspended seller reads and does not write (B-050, B-098).
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
    `,
    async prepare({ stage, row, actor }) {
      const id = await stage.listing(row.replace(', asked before', ''));
      const { buyerA, buyerB } = stage.cast;
      const other = (actor === 'buyerA' ? buyerB : buyerA).id;
      const asked = row.endsWith('asked before')
        ? [other, ...(actor === 'anonymous' ? [] : [stage.person(actor).id])]
        : [];
      for (const user_id of asked)
        await stage.db
          .q()
          .insertInto('property_inquiries')
          .values({ property_id: id, user_id, message: 'First.' })
          .execute();
      return { id, key: randomUUID(), asked };
    },
    act: (ctx, { id, key }) => sendInquiry(ctx, { propertyId: id, message: 'May I come on Sunday?', key }),
    async holds(_, { id, asked }, { stage, actor, word }) {
      const rows = await stage.db
        .q()
        .selectFrom('property_inquiries as i')
        .leftJoin('inquiry_messages as m', 'm.inquiry_id', 'i.id')
        .select(['i.user_id as asker', 'm.sender_id as added_by'])
        .where('i.property_id', '=', id)
        .execute();
      const own = actor === 'anonymous' ? null : stage.person(actor).id;
      const before = asked.map((asker) => ({
        asker,
        added_by: word === 'allowed' && asker === own ? own : null,
      }));
      const expected = word === 'allowed' && asked.length === 0 ? [{ asker: own, added_by: null }] : before;
      const byAsker = (a: { asker: string | null }, b: { asker: string | null }) =>
        String(a.asker).localeCompare(String(b.asker));
      expect(rows.sort(byAsker)).toEqual(expected.sort(byAsker));
    },
  }),
};
