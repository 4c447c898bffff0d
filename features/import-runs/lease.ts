import { randomUUID } from 'node:crypto';
import type { UpdateObject } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import { takeLock } from '#platform/db/locks.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { workingStatuses } from './model.ts';
import { enqueueWork } from './queues.ts';
import { LEASE_MS } from './rules.ts';

/** An import that this process works on, and no other one. */
export interface LeasedImport {
  id: string;
  lease: string;
  status: (typeof workingStatuses)[number];
  agentId: string;
}

/** The import was stopped, or another process has taken it; nothing of the running transaction counts. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/**
 * Takes an import to work on: one at a time for a seller, and none that another process works on. Those that wait are asked for again by
 * `releaseImport`.
 */
export async function leaseImport(ctx: Ctx, importId: string): Promise<LeasedImport | null> {
  return ctx.db.tx(async () => {
    const q = ctx.db.q();
    const now = ctx.now();
    const row = await q
      .selectFrom('listing_imports')
      .select(['id', 'agent_id', 'status'])
      .where('id', '=', importId)
      .executeTakeFirst();
    const status = workingStatuses.find((one) => one === row?.status);
    if (!row?.agent_id || !status) return null;
    await takeLock(ctx, `import lease ${row.agent_id}`);
    // Of a process that died.
    await q
      .updateTable('listing_imports')
      .set({ lease: null, leased_until: null })
      .where('agent_id', '=', row.agent_id)
      .where('leased_until', '<', now)
      .execute();
    const lease = randomUUID();
    const taken = await q
      .updateTable('listing_imports')
      .set({ lease, leased_until: leasedUntil(ctx) })
      .where('id', '=', importId)
      .where('status', '=', status)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('listing_imports as other')
              .select('other.id')
              .where('other.agent_id', '=', row.agent_id)
              .where('other.lease', 'is not', null),
          ),
        ),
      )
      .returning('id')
      .executeTakeFirst();
    return taken ? { id: importId, lease, status, agentId: row.agent_id } : null;
  });
}

const leasedUntil = (ctx: Ctx) => new Date(ctx.now().getTime() + LEASE_MS);

/**
 * Writes what was done, and keeps the import for another minute. In the transaction that does it: what is done without the lease is rolled back.
 * @throws LeaseLost
 */
export async function holdImport(
  ctx: Ctx,
  { id, lease, status }: LeasedImport,
  done: UpdateObject<DB, 'listing_imports'> = {},
): Promise<void> {
  const held = await ctx.db
    .q()
    .updateTable('listing_imports')
    .set({ leased_until: leasedUntil(ctx), ...done })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', status)
    .returning('id')
    .executeTakeFirst();
  if (!held) throw new LeaseLost(`The import ${id} is no longer ours`);
}

/**
 * Keeps an import while `work` goes on, also where nothing is written for long: while a big file is copied, or lines that are done are
 * read over. A lease that is lost ends the work at its next write.
 */
export async function whileHolding(ctx: Ctx, leased: LeasedImport, work: () => Promise<void>): Promise<void> {
  const renewal = setInterval(() => {
    holdImport(ctx, leased).catch((error: unknown) => {
      if (!(error instanceof LeaseLost))
        ctx.log.warn({ err: error, import: leased.id }, 'a lease was not renewed');
    });
  }, LEASE_MS / 3);
  try {
    await work();
  } finally {
    clearInterval(renewal);
  }
}

/** Gives an import back, and asks for those of the same seller that wait. */
export async function releaseImport(ctx: Ctx, { id, lease, agentId }: LeasedImport): Promise<void> {
  await ctx.db.tx(async () => {
    const q = ctx.db.q();
    await q
      .updateTable('listing_imports')
      .set({ lease: null, leased_until: null })
      .where('id', '=', id)
      .where('lease', '=', lease)
      .execute();
    const waiting = await q
      .selectFrom('listing_imports')
      .select('id')
      .where('agent_id', '=', agentId)
      .where('status', 'in', [...workingStatuses])
      .orderBy('updated_at')
      .limit(20)
      .execute();
    for (const other of waiting) if (other.id !== id) await enqueueWork(ctx, other.id);
  });
}
