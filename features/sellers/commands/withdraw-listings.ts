import { holdListings } from '#features/listings/hold-listings.ts';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { withdrawListingsJob } from '../queues.ts';
import { listingsToWithdraw, WITHDRAWN_AT_ONCE, withdrawAll } from '../removal.ts';
import { mayWithdrawForSellers } from '../rules.ts';

/** Batches before the job gives way to others and goes on in another one. */
const SLICE = 20;

interface WithdrawInput {
  sellerId: string;
  /** the last listing that was looked at; null for none */
  after: string | null;
  signal?: AbortSignal;
  /** listings in one transaction */
  batch?: number;
}

/**
 * Withdraws the listings of an archived seller, each batch in a transaction of its own; killed at any point and run again, it goes on with
 * what is left.
 * @param input `signal` ends the work after the batch at hand, and another job goes on
 * @throws Unauthenticated, Forbidden for every user
 */
export async function withdrawListings(
  ctx: Ctx,
  { sellerId, after, signal, batch = WITHDRAWN_AT_ONCE }: WithdrawInput,
): Promise<void> {
  authorize(ctx, mayWithdrawForSellers);
  let last = after;
  for (let done = 0; done < SLICE && !signal?.aborted; done += 1) {
    const listings = await listingsToWithdraw(ctx, { sellerId, after: last, limit: batch });
    await ctx.db.tx(async () => {
      await holdListings(
        ctx,
        listings.map(({ id }) => id),
      );
      await withdrawAll(ctx, listings);
    });
    if (listings.length < batch) return;
    last = listings.at(-1)?.id ?? last;
  }
  await enqueue(ctx, withdrawListingsJob, { sellerId, after: last }, { key: sellerId });
}
