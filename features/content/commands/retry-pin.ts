import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import { auditAll } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import { mayManageContent } from '../rules.ts';

/** `nothing`: none of them has failed, or not any longer. */
type RetryPinResult = { ok: true; count: number } | { ok: false; reason: 'nothing' };

/** Addresses of one press. */
const MAX_AT_ONCE = 1000;

/**
 * Has what could not be published, or no longer published, tried again right away.
 * @param input `cid` of one, or null for all of them (at most 1,000)
 * @throws Unauthenticated, Forbidden for everyone but administrators
 */
export async function retryPin(ctx: Ctx, { cid }: { cid: string | null }): Promise<RetryPinResult> {
  authorize(ctx, mayManageContent);
  return ctx.db.tx(async (): Promise<RetryPinResult> => {
    const q = ctx.db.q();
    const rows = await q
      .selectFrom('content_pins')
      .select(['cid', 'status'])
      .where('status', 'in', ['failed', 'unpin_failed'])
      .$if(cid !== null, (some) => some.where('cid', '=', cid ?? ''))
      .orderBy('cid')
      .limit(MAX_AT_ONCE)
      .forUpdate()
      .execute();
    if (rows.length === 0) return { ok: false, reason: 'nothing' };
    await q
      .updateTable('content_pins')
      .set({
        status: sql`case status when 'failed' then 'waiting' else 'unpinning' end`,
        attempts: 0,
        due_at: sql`now()`,
        updated_at: sql`now()`,
      })
      .where(
        'cid',
        'in',
        rows.map((row) => row.cid),
      )
      .execute();
    await auditAll(
      ctx,
      rows.map((row) => ({
        action: 'content.retry',
        entity: 'content',
        entityId: row.cid,
        before: { status: row.status },
        after: { status: row.status === 'failed' ? 'waiting' : 'unpinning' },
      })),
    );
    await sql`select pg_notify('content', '')`.execute(q);
    return { ok: true, count: rows.length };
  });
}
