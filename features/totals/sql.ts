import { type RawBuilder, sql } from 'kysely';
import type { PropertyStatus } from '#features/listings/model.ts';
import type { Ctx } from '#platform/context.ts';
import type { BoundedCount } from '#platform/counts.ts';
import { boundedCount } from '#platform/db/bounded-count.ts';

const listings = (status: PropertyStatus) =>
  sql`from properties p where p.deleted_at is null and p.status = ${status}`;

/** What cards count however much there is of it, by its name in the table: the `from` of a query. */
export const totals = {
  listings: sql`from properties p where p.deleted_at is null`,
  'active listings': listings('Active'),
  'pending listings': listings('pending'),
  'listings in escrow': listings('escrow'),
  documents: sql`from document_registry where not is_test`,
  'properties with documents': sql`from (select distinct property_id from document_registry
    where not is_test and property_id is not null order by property_id) d`,
  'completion tokens': sql`from completion_nfts where kind = 'completion'`,
} satisfies Record<string, RawBuilder<unknown>>;
export type TotalName = keyof typeof totals;

/**
 * How many there are: counted now as far as that is quick, beyond it as the job counted last, minutes ago. Whoever calls this has decided
 * that the actor may know.
 */
export async function totalOf(ctx: Ctx, name: TotalName): Promise<BoundedCount> {
  const counted = await boundedCount(ctx, totals[name]);
  if (!counted.more) return counted;
  const row = await ctx.db
    .q()
    .selectFrom('totals')
    .select('count')
    .where('name', '=', name)
    .executeTakeFirst();
  // What was counted before there were that many is further from the truth than the bound.
  return row && row.count > counted.count ? { count: row.count, more: false } : counted;
}
