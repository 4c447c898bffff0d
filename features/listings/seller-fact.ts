import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/**
 * Whether the seller of a listing is archived: nobody could deliver what is bought. What holds the listing's row keeps it as it is, since
 * archiving takes all rows of the seller first.
 */
export async function isSellerGone(ctx: Ctx, propertyId: string): Promise<boolean> {
  const { rows } = await sql`select from properties p join agents a on a.id = p.agent_id
    where p.id = ${propertyId} and a.archived_at is not null`.execute(ctx.db.q());
  return rows.length > 0;
}
