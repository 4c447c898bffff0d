import { sql } from 'kysely';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { nameWriter } from '#platform/writer.ts';
import type { PropertyStatus } from '../model.ts';
import { type OwnListing, recordHistory } from './listing.ts';

/** Gives a listing that this transaction holds another status, with history and audit; those who watch hear of it. */
export async function moveListing(
  ctx: Ctx,
  listing: OwnListing,
  { to, action }: { to: PropertyStatus; action: string },
): Promise<void> {
  await nameWriter(ctx);
  await ctx.db
    .q()
    .updateTable('properties')
    .set({
      status: to,
      ...(to === 'withdrawn' && { off_market_at: ctx.now() }),
      // The clock of the market stood still since (B-046).
      ...(to === 'Active' && {
        paused_seconds: sql<number>`paused_seconds
          + coalesce(extract(epoch from ${ctx.now()}::timestamptz - off_market_at), 0)::bigint`,
      }),
    })
    .where('id', '=', listing.id)
    .execute();
  await recordHistory(ctx, listing.id, [{ field: 'status', from: listing.status, to }]);
  await audit(ctx, {
    action,
    entity: 'property',
    entityId: listing.id,
    before: { status: listing.status },
    after: { status: to },
  });
}
