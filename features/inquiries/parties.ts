import { sql } from 'kysely';
import { blocksOf } from '#features/accounts/sql.ts';
import { type CardRow, cardColumns } from '#features/listings/reads.ts';
import { isPubliclyVisible, mainPicture } from '#features/listings/sql.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Ctx, Role, UserActor } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { isUuid } from '#platform/uuid.ts';
import type { InquiryLabel, Side } from './model.ts';
import { mayInquire } from './rules.ts';

/** A conversation with its two parties and its property. */
export interface Conversation {
  id: string;
  property: CardRow;
  /** the property is deleted or withdrawn */
  gone: boolean;
  /** the property's page is public */
  seen: boolean;
  firstText: string;
  firstAt: Date;
  openedAt: Date | null;
  label: InquiryLabel;
  buyer: { id: string; name: string; email: string; verified: boolean; role: Role };
  /** `userId` is null for a seller who has not registered */
  seller: { userId: string | null; agentId: string; name: string; email: string; suspended: boolean };
}

/** A conversation from the point of view of one of its parties. */
export interface OwnConversation extends Conversation {
  user: UserActor;
  side: Side;
  otherId: string | null;
  blockedByMe: boolean;
  blockedByOther: boolean;
}

/** True for a property whose conversations are closed. */
export const isPropertyGone = sql<boolean>`(properties.deleted_at is not null or properties.status = 'withdrawn')`;

/** @throws NotFound */
export async function conversation(ctx: Ctx, id: string): Promise<Conversation> {
  if (!isUuid(id)) throw new NotFound();
  const row = await ctx.db
    .q()
    .selectFrom('property_inquiries as i')
    .innerJoin('properties', 'properties.id', 'i.property_id')
    .innerJoin('agents as a', 'a.id', 'properties.agent_id')
    .innerJoin('users as b', 'b.id', 'i.user_id')
    .innerJoin('profiles as bp', 'bp.id', 'b.id')
    .select(cardColumns)
    .select([mainPicture().as('picture'), isPropertyGone.as('gone'), isPubliclyVisible().as('seen')])
    .select(['i.message', 'i.created_at', 'i.opened_at', 'i.status as label'])
    .select(['b.id as buyer_id', 'b.name as buyer_name', 'b.email as buyer_email', 'b.email_verified'])
    .select('bp.role as buyer_role')
    .select(['a.id as agent_id', 'a.user_id', 'a.name as seller_name', 'a.email as seller_email'])
    .select('a.status as seller_status')
    .where('i.id', '=', id)
    .executeTakeFirst();
  if (!row) throw new NotFound();
  return {
    id,
    property: row,
    gone: row.gone,
    seen: row.seen,
    firstText: row.message,
    firstAt: row.created_at,
    openedAt: row.opened_at,
    label: row.label,
    buyer: {
      id: row.buyer_id,
      name: row.buyer_name,
      email: row.buyer_email,
      verified: row.email_verified,
      role: row.buyer_role,
    },
    seller: {
      userId: row.user_id,
      agentId: row.agent_id,
      name: row.seller_name,
      email: row.seller_email,
      suspended: row.seller_status === 'suspended',
    },
  };
}

/** The side on which an actor takes part; null for everybody else (R8). */
export function sideOf(
  actor: UserActor,
  { buyer, seller }: Pick<Conversation, 'buyer' | 'seller'>,
): Side | null {
  if (actor.id === buyer.id) return 'buyer';
  return actor.role === 'agent' && actor.agentId === seller.agentId ? 'seller' : null;
}

/**
 * A conversation of the signed-in user.
 * @throws Unauthenticated; NotFound for a conversation the user takes no part in
 */
export async function ownConversation(ctx: Ctx, id: string): Promise<OwnConversation> {
  const user = authorizedUser(ctx, mayInquire);
  const found = await conversation(ctx, id);
  const side = sideOf(user, found);
  if (!side) throw new NotFound();
  const otherId = side === 'buyer' ? found.seller.userId : found.buyer.id;
  return { ...found, user, side, otherId, ...(await blocksBetween(ctx, user.id, otherId)) };
}

/** Which of two users has blocked the other; neither if `otherId` is null. */
export async function blocksBetween(
  ctx: Ctx,
  userId: string,
  otherId: string | null,
): Promise<{ blockedByMe: boolean; blockedByOther: boolean }> {
  if (otherId === null) return { blockedByMe: false, blockedByOther: false };
  const rows = await blocksOf(ctx, userId, otherId).execute();
  return {
    blockedByMe: rows.some((row) => row.user_id === userId),
    blockedByOther: rows.some((row) => row.user_id === otherId),
  };
}
