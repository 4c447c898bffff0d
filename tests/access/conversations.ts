import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Cell } from './operation.ts';
import { badId } from './sale-rows.ts';
import type { Stage } from './stage.ts';

export interface Talk {
  inquiryId: string;
  buyerId: string;
  sellerId: string;
}

/** A conversation with an unread answer and an unread second question: of buyer A with seller A, or B with the suspended. */
export async function newTalk(
  stage: Stage,
  { kind = 'A’s Active', others = false, values = {} }: TalkChoices = {},
): Promise<Talk> {
  const { buyerA, buyerB, sellerA, suspendedSeller } = stage.cast;
  const [buyer, seller] = others ? [buyerB, suspendedSeller] : [buyerA, sellerA];
  const q = stage.db.q();
  const { id } = await q
    .insertInto('property_inquiries')
    .values({
      property_id: await stage.listing(others ? 'suspended seller’s Active' : kind),
      user_id: buyer.id,
      message: 'Is it quiet?',
      ...values,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  for (const sender of [seller, buyer])
    await q
      .insertInto('inquiry_messages')
      .values({ inquiry_id: id, sender_id: sender.id, message: 'Very.' })
      .execute();
  return { inquiryId: id, buyerId: buyer.id, sellerId: seller.id };
}
interface TalkChoices {
  kind?: string;
  others?: boolean;
  values?: Partial<Insertable<DB['property_inquiries']>>;
}

/**
 * The conversation that a row names: 'A with A', 'B with the suspended', 'A with A, withdrawn', 'A with A, buyer blocked',
 * or an id that is none. No blocks of earlier cells are left.
 */
export async function talkIn({ stage, row }: Pick<Cell, 'stage' | 'row'>): Promise<Talk> {
  await stage.db.q().deleteFrom('user_blocks').execute();
  const [who, fact = ''] = row.split(', ');
  const kind = fact === 'withdrawn' || fact === 'deleted' ? `A’s ${fact}` : 'A’s Active';
  const talk = await newTalk(stage, { kind, others: who === 'B with the suspended' });
  const bad = badId({ row }, talk.inquiryId);
  const [user_id, blocked_id] =
    fact === 'buyer blocked' ? [talk.sellerId, talk.buyerId] : [talk.buyerId, talk.sellerId];
  if (fact.endsWith('blocked'))
    await stage.db.q().insertInto('user_blocks').values({ user_id, blocked_id }).execute();
  return bad === null ? talk : { ...talk, inquiryId: bad };
}
