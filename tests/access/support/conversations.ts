import type { Insertable } from 'kysely';
import type { DB } from '#platform/db/schema.gen.ts';
import type { Cell } from './operation.ts';
import type { Scenario } from './scenario.ts';
import { badId } from './table-rows.ts';

export interface Conversation {
  inquiryId: string;
  propertyId: string;
  buyerId: string;
  sellerId: string;
}

/**
 * Creates a conversation with an unread reply and an unread follow-up, between buyer A and seller A or, with `others`,
 * between buyer B and the suspended seller.
 */
export async function createConversation(
  scenario: Scenario,
  { kind = 'A’s Active', others = false, values = {} }: ConversationOptions = {},
): Promise<Conversation> {
  const { buyerA, buyerB, sellerA, suspendedSeller } = scenario.cast;
  const [buyer, seller] = others ? [buyerB, suspendedSeller] : [buyerA, sellerA];
  const q = scenario.db.q();
  const propertyId = await scenario.listing(others ? 'suspended seller’s Active' : kind);
  const { id } = await q
    .insertInto('property_inquiries')
    .values({
      property_id: propertyId,
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
  return { inquiryId: id, propertyId, buyerId: buyer.id, sellerId: seller.id };
}
interface ConversationOptions {
  kind?: string;
  others?: boolean;
  values?: Partial<Insertable<DB['property_inquiries']>>;
}

/**
 * The conversation a row names: 'A with A', 'B with the suspended', 'A with A, withdrawn', 'A with A, buyer blocked', or
 * an invalid id. Removes blocks left by earlier cells.
 */
export async function conversationForRow({
  scenario,
  row,
}: Pick<Cell, 'scenario' | 'row'>): Promise<Conversation> {
  await scenario.db.q().deleteFrom('user_blocks').execute();
  const [who, fact = ''] = row.split(', ');
  const kind = fact === 'withdrawn' || fact === 'deleted' ? `A’s ${fact}` : 'A’s Active';
  const conversation = await createConversation(scenario, { kind, others: who === 'B with the suspended' });
  const bad = badId({ row }, conversation.inquiryId);
  const [user_id, blocked_id] =
    fact === 'buyer blocked'
      ? [conversation.sellerId, conversation.buyerId]
      : [conversation.buyerId, conversation.sellerId];
  if (fact.endsWith('blocked'))
    await scenario.db.q().insertInto('user_blocks').values({ user_id, blocked_id }).execute();
  return bad === null ? conversation : { ...conversation, inquiryId: bad };
}
