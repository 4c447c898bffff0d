import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import type { Grant } from '../model.ts';
import { mayUseKeys } from '../rules.ts';

/** Counts one request of a key and the rows that it was given, by day (UTC): who was given how much can be looked up later. */
export async function countKeyUse(ctx: Ctx, grant: Grant, rows: number): Promise<void> {
  authorize(ctx, mayUseKeys);
  await ctx.db
    .q()
    .insertInto('api_key_days')
    .values({
      key_id: grant.keyId,
      day: ctx.now().toISOString().slice(0, 10),
      requests: 1,
      rows_sent: rows,
    })
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'day']).doUpdateSet({
        requests: sql`api_key_days.requests + 1`,
        rows_sent: sql`api_key_days.rows_sent + excluded.rows_sent`,
      }),
    )
    .execute();
}
