import { startPayout } from '#features/payouts/commands/start-payout.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { publishRun } from '../begin-run.ts';
import { enqueueRun } from '../queues.ts';
import { mayScheduleRuns } from '../rules.ts';

/** Payouts that are started before the job gives way to others and goes on in another one. */
const SLICE = 100;
/** After how many payouts the pages are told. */
const TELL_AFTER = 10;

interface Item {
  run_id: string;
  sale_id: string;
  amount_cents: number;
}

/**
 * Starts the payouts of a run that wait, one after the other, and ends the run with the last one. Killed at any point and run
 * again, or by two processes at once, it starts none twice: a payout that was started is found by its run.
 * @param input `signal` ends the work after the payout at hand; `isLastTry`: a payout that cannot be started for a fault of ours or
 *   of its provider is left out, so that it does not keep all others
 * @throws Unauthenticated, Forbidden for every user; what such a fault is, before the last try
 */
export async function workPayoutRun(
  ctx: CtxWith<'payments' | 'payouts'>,
  { runId, signal, isLastTry = false }: { runId: string; signal?: AbortSignal; isLastTry?: boolean },
): Promise<void> {
  authorize(ctx, mayScheduleRuns);
  for (let started = 1; started <= SLICE; started += 1) {
    if (signal?.aborted) return;
    const item = await nextItem(ctx, runId);
    if (!item) return finishRun(ctx, runId);
    await payItem(ctx, item).catch((error: unknown) => giveUp(ctx, item, error, isLastTry));
    if (started % TELL_AFTER === 0) await publishRun(ctx, runId);
  }
  await enqueueRun(ctx, runId);
}

const nextItem = (ctx: Ctx, runId: string): Promise<Item | undefined> =>
  ctx.db
    .q()
    .selectFrom('payout_run_items as i')
    .innerJoin('payout_runs as r', 'r.id', 'i.run_id')
    .select(['i.run_id', 'i.sale_id', 'i.amount_cents'])
    .where('i.run_id', '=', runId)
    .where('i.status', '=', 'waiting')
    .where('r.status', '=', 'running')
    .orderBy('i.position')
    .limit(1)
    .executeTakeFirst();

async function payItem(ctx: CtxWith<'payments' | 'payouts'>, item: Item): Promise<void> {
  const payoutId = await payoutOf(ctx, item);
  if (payoutId !== null) return endItem(ctx, item, { status: 'started', payout_id: payoutId });
  const result = await startPayout(ctx, {
    saleId: item.sale_id,
    runId: item.run_id,
    expectedCents: item.amount_cents,
  });
  if (result.ok) return endItem(ctx, item, { status: 'started', payout_id: result.payoutId });
  // Another process may have started it for this run since.
  const startedMeanwhile = await payoutOf(ctx, item);
  if (startedMeanwhile !== null)
    return endItem(ctx, item, { status: 'started', payout_id: startedMeanwhile });
  await endItem(ctx, item, {
    status: 'refused',
    refusal: result.refusal,
    refused_until: result.until ?? null,
  });
}

async function giveUp(ctx: Ctx, item: Item, error: unknown, isLastTry: boolean): Promise<void> {
  if (!isLastTry) throw error;
  ctx.log.error(
    { err: error, sale: item.sale_id, run: item.run_id },
    'a payout of a run could not be started',
  );
  const refusal = error instanceof PaymentError ? 'unavailable' : 'fault';
  await endItem(ctx, item, { status: 'refused', refusal, refused_until: null });
}

/** The payout of a sale that this run has started. */
async function payoutOf(ctx: Ctx, { run_id, sale_id }: Item): Promise<string | null> {
  const payout = await ctx.db
    .q()
    .selectFrom('payouts')
    .select('id')
    .where('run_id', '=', run_id)
    .where('sale_id', '=', sale_id)
    .executeTakeFirst();
  return payout?.id ?? null;
}

type Outcome =
  | { status: 'started'; payout_id: string }
  | { status: 'refused'; refusal: string; refused_until: Date | null };

async function endItem(ctx: Ctx, { run_id, sale_id }: Item, outcome: Outcome): Promise<void> {
  await ctx.db
    .q()
    .updateTable('payout_run_items')
    .set({ ...outcome, ended_at: ctx.now() })
    .where('run_id', '=', run_id)
    .where('sale_id', '=', sale_id)
    .where('status', '=', 'waiting')
    .execute();
}

async function finishRun(ctx: Ctx, runId: string): Promise<void> {
  await ctx.db.tx(async () => {
    const finished = await ctx.db
      .q()
      .updateTable('payout_runs')
      .set({ status: 'finished', finished_at: ctx.now() })
      .where('id', '=', runId)
      .where('status', '=', 'running')
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('payout_run_items as i')
              .select('i.sale_id')
              .where('i.run_id', '=', runId)
              .where('i.status', '=', 'waiting'),
          ),
        ),
      )
      .executeTakeFirst();
    if (finished.numUpdatedRows === 0n) return;
    const counts = await ctx.db
      .q()
      .selectFrom('payout_run_items')
      .select(({ fn }) => [
        fn.countAll<number>().filterWhere('status', '=', 'started').as('started'),
        fn.countAll<number>().filterWhere('status', '=', 'refused').as('refused'),
      ])
      .where('run_id', '=', runId)
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: 'payout_run.finish',
      entity: 'payout_run',
      entityId: runId,
      after: { started: Number(counts.started), refused: Number(counts.refused) },
    });
    await publishRun(ctx, runId);
  });
}
