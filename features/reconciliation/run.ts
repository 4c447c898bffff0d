import { sql, type UpdateObject } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { tryLock } from '#platform/db/locks.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { DAY, MINUTE } from '#platform/durations.ts';

/** How far each run looks back beyond the end of the one before, for what was booked late. */
const OVERLAP_MS = 3 * DAY;
/** A run that has reported nothing for so long has died. */
const SILENCE_MS = 10 * MINUTE;

/** A run of this process over one account. */
export interface Run {
  id: string;
  accountId: string;
  /** who runs it: only this process goes on with it */
  runner: string;
  from: Date;
  /** when it was first begun */
  to: Date;
  /** where the listing goes on after a crash */
  cursor: string | null;
}

/**
 * Begins a run over one account, or takes over one whose process died, where it stopped; null while another process is at it.
 * It begins where the last finished one ended, with some overlap; the first one, before the first sale or payout.
 * @param since an earlier beginning
 */
export async function claimRun(ctx: Ctx, accountId: string, since: Date | undefined): Promise<Run | null> {
  const runner = crypto.randomUUID();
  const to = ctx.now();
  return ctx.db.tx(async () => {
    if (!(await tryLock(ctx, `reconcile:${accountId}`))) return null;
    const q = ctx.db.q();
    const from = since ?? (await beginning(ctx, accountId));
    const running = await q
      .selectFrom('reconciliation_runs')
      .selectAll()
      .where('provider_account_id', '=', accountId)
      .where('state', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
    if (running && to.getTime() - running.seen_at.getTime() < SILENCE_MS) return null;
    if (running) {
      // Another beginning needs another list.
      const goesOn = since === undefined || since >= running.from_at;
      // A list that was begun then need not have what was booked since: the next run looks back from there.
      const position = goesOn
        ? { from_at: running.from_at, to_at: running.to_at, cursor: running.cursor }
        : { from_at: from, to_at: to, cursor: null };
      await q
        .updateTable('reconciliation_runs')
        .set({ ...position, runner, seen_at: to })
        .where('id', '=', running.id)
        .execute();
      const { from_at, to_at, cursor } = position;
      return { id: running.id, accountId, runner, from: from_at, to: to_at, cursor };
    }
    const { id } = await q
      .insertInto('reconciliation_runs')
      .values({
        provider_account_id: accountId,
        from_at: from,
        to_at: to,
        runner,
        seen_at: to,
        started_at: to,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { id, accountId, runner, from, to, cursor: null };
  });
}

/** From when on an account is listed: where its last finished run ended, with some overlap, or before its first sale or payout. */
export async function beginning(ctx: Ctx, accountId: string): Promise<Date> {
  const last = await ctx.db
    .q()
    .selectFrom('reconciliation_runs')
    .select((column) => column.fn.max('to_at').as('to'))
    .where('provider_account_id', '=', accountId)
    .where('state', '=', 'finished')
    .executeTakeFirst();
  if (last?.to) return new Date(last.to.getTime() - OVERLAP_MS);
  const first = await ctx.db
    .q()
    .selectNoFrom(
      sql<Date | null>`least((select min(created_at) from property_sales where provider_account_id = ${accountId}),
        (select min(created_at) from payouts where provider_account_id = ${accountId}))`.as('at'),
    )
    .executeTakeFirst();
  return new Date((first?.at ?? ctx.now()).getTime() - DAY);
}

/**
 * Records how far a run is, in the current transaction if there is one.
 * @throws RunLost when another process has taken it over
 */
export async function recordRun(
  ctx: Ctx,
  { id, runner }: Run,
  set: UpdateObject<DB, 'reconciliation_runs'>,
): Promise<void> {
  const updated = await ctx.db
    .q()
    .updateTable('reconciliation_runs')
    .set({ ...set, seen_at: ctx.now() })
    .where('id', '=', id)
    .where('runner', '=', runner)
    .where('state', '=', 'running')
    .returning('id')
    .executeTakeFirst();
  if (!updated) throw new RunLost();
}

/** Another process goes on with the run. */
export class RunLost extends Error {
  override readonly name = 'RunLost';

  constructor() {
    super('Another process has taken this reconciliation over');
  }
}
