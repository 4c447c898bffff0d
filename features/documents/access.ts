import { type RawBuilder, sql } from 'kysely';
import { signedIn } from '#platform/access.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import { isUuid } from '#platform/uuid.ts';
import { mayManageDocuments } from './rules.ts';

/**
 * Administrators read every document. Everybody else reads what is shown to the side of a sale on which they stand, and sellers what
 * is about them alone; for all others a document does not exist.
 */
export const mayReadDocuments = signedIn;

/** Whether a user may see the document of a row `d` of `document_registry`. The only place that decides it. */
export function visibleTo(user: UserActor): RawBuilder<boolean> {
  if (mayManageDocuments(user)) return sql<boolean>`true`;
  const bought = sql`(d.shown_to in ('buyer', 'parties') and exists (
    select from property_sales s where s.buyer_id = ${user.id} and (s.id = d.property_sale_id or ${disclosedTo})))`;
  const seller = user.role === 'agent' ? user.agentId : null;
  if (seller === null) return sql<boolean>`${bought}`;
  return sql<boolean>`(${bought} or (d.shown_to in ('seller', 'parties') and (d.agent_id = ${seller} or exists (
    select from property_sales s where s.id = d.property_sale_id and s.agent_id = ${seller}))))`;
}

/**
 * Whether a document `d` is what the seller of a sale `s` has disclosed about its property. A buyer has paid before it is shown: it may
 * name people and what is wrong with their home.
 */
const disclosedTo = sql<boolean>`(d.property_sale_id is null and d.document_type = 'Disclosure' and d.shown_to = 'parties'
  and d.property_id = s.property_id and d.agent_id = s.agent_id
  and s.stripe_payment_status = 'completed' and s.escrow_status in ('in_escrow', 'completed'))`;

/** Whether a user takes part in the sale `s` of `property_sales`, or administers all of them. */
export function takesPart(user: UserActor): RawBuilder<boolean> {
  if (mayManageDocuments(user)) return sql<boolean>`true`;
  const seller = user.role === 'agent' ? user.agentId : null;
  return seller === null
    ? sql<boolean>`s.buyer_id = ${user.id}`
    : sql<boolean>`(s.buyer_id = ${user.id} or s.agent_id = ${seller})`;
}

/** Whether the caller takes part in a sale: a form with files is as large as one only when it comes from somebody who does. */
export async function takesPartIn(ctx: Ctx, saleId: string): Promise<boolean> {
  const { actor } = ctx;
  if (actor.kind !== 'user' || !isUuid(saleId)) return false;
  const sale = await ctx.db
    .q()
    .selectFrom('property_sales as s')
    .select('s.id')
    .where('s.id', '=', saleId)
    .where(takesPart(actor))
    .executeTakeFirst();
  return sale !== undefined;
}
