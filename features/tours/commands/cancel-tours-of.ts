import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { applyChange } from '../change-tour.ts';
import { openStatuses } from '../model.ts';
import { readTours } from '../parties.ts';
import { mayUpdateTours } from '../rules.ts';

/**
 * Cancels all open tours of a buyer whose account is being closed, in the current transaction, and notifies their sellers.
 * @returns how many were cancelled
 * @throws Unauthenticated, Forbidden for every user
 */
export async function cancelToursOf(ctx: Ctx, { buyerId }: { buyerId: string }): Promise<number> {
  authorize(ctx, mayUpdateTours);
  const open = await ctx.db
    .q()
    .selectFrom('tours')
    .select('id')
    .where('buyer_id', '=', buyerId)
    .where('status', 'in', openStatuses)
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = open.map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const tour of await readTours(ctx, (tours) => tours.and([tours('tours.id', 'in', ids)])))
    await applyChange(ctx, tour, {
      action: 'cancel',
      by: 'system',
      at: tour.startsAt,
      answer: 'The buyer has closed their account.',
      leftOut: 'buyer',
    });
  return ids.length;
}
