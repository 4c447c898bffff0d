import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { tryLock } from '#platform/db/locks.ts';
import { type CanonicalRow, CHAIN_START, canonicalColumns, linkHash } from '../chain.ts';
import { ID_WINDOW } from '../id-window.ts';
import { mayChainAudit } from '../rules.ts';

/** Rows chained in one transaction: few, because the embedded database does nothing else meanwhile. */
const BATCH = 500;

interface ChainInput {
  /** looks at the whole log, not only at its end */
  all?: boolean;
  /** stops after the running batch */
  signal?: AbortSignal;
}

/**
 * Adds committed audit rows to the chain in batches, each in a transaction of its own. Their order is that in which they are
 * found: a row that was written early and committed late comes later. Takes no lock that a writer needs; when another process
 * is chaining, it does nothing. Rows that took so long to commit that 20,000 later ones were chained before them are found
 * with `all`.
 * @returns how many rows were chained
 * @throws Unauthenticated, Forbidden for every user
 */
export async function chainAudit(ctx: Ctx, { all = false, signal }: ChainInput = {}): Promise<number> {
  authorize(ctx, mayChainAudit);
  let chained = 0;
  for (let after = all ? 0 : await recentId(ctx); !signal?.aborted; ) {
    const batch = await ctx.db.tx(() => chainBatch(ctx, after));
    if (!batch) break;
    chained += batch.chained;
    if (batch.done) break;
    after = batch.upTo;
  }
  return chained;
}

async function recentId(ctx: Ctx): Promise<number> {
  const { last } = await ctx.db
    .q()
    .selectFrom('audit_chain')
    .select(({ fn }) => fn.max<number | null>('audit_id').as('last'))
    .executeTakeFirstOrThrow();
  return Math.max(0, (last ?? 0) - ID_WINDOW);
}

/** Chains what is unchained among the next ids; null when another process is at it. */
async function chainBatch(ctx: Ctx, after: number) {
  if (!(await tryLock(ctx, 'audit.chain'))) return null;
  const q = ctx.db.q();
  const { rows } = await sql<CanonicalRow>`select ${canonicalColumns} from audit_log a
    where a.id > ${after} and a.id <= ${after + ID_WINDOW}
      and not exists (select from audit_chain c where c.audit_id = a.id)
    order by a.id limit ${BATCH}`.execute(q);
  await append(ctx, rows);
  const upTo = rows.length === BATCH ? (rows.at(-1)?.id ?? after) : after + ID_WINDOW;
  const { newest } = await q
    .selectFrom('audit_log')
    .select(({ fn }) => fn.max<number | null>('id').as('newest'))
    .executeTakeFirstOrThrow();
  return { chained: rows.length, upTo, done: upTo >= (newest ?? 0) };
}

async function append(ctx: Ctx, rows: readonly CanonicalRow[]): Promise<void> {
  if (rows.length === 0) return;
  const q = ctx.db.q();
  const head = await q
    .selectFrom('audit_chain')
    .select(['position', 'hash'])
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  const first = (head?.position ?? 0) + 1;
  let hash = head?.hash ?? CHAIN_START;
  const hashes = rows.map((row, index) => {
    hash = linkHash(hash, first + index, row);
    return hash;
  });
  await sql`insert into audit_chain (position, audit_id, hash, chained_at)
    select ${first - 1}::bigint + n, audit_id, hash, ${ctx.now()}
    from unnest(${rows.map(({ id }) => id)}::bigint[], ${hashes}::bytea[]) with ordinality as link (audit_id, hash, n)`.execute(
    q,
  );
}
