import { sql } from 'kysely';
import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import { mayOpenTasks } from '../rules.ts';

/**
 * The task of a dispute is due when the bank wants its answer, and has no deadline once it wants none. In the current transaction.
 * @param saleId of the only sale to look at; without it, of all of them
 * @throws Unauthenticated, Forbidden for every user
 */
export async function followDisputeDeadlines(ctx: Ctx, { saleId }: { saleId?: string } = {}): Promise<void> {
  authorize(ctx, mayOpenTasks);
  const { rows: changed } = await sql<{ id: string }>`
    update admin_tasks t set due_at = d.due_at
    from admin_tasks o left join (
      select sale_id::text as sale_id, min(evidence_due_at) as due_at from disputes
        where status = 'open' and evidence_due_at is not null ${saleId ? sql`and sale_id = ${saleId}` : sql``}
        group by sale_id) d on d.sale_id = o.subject_id
    where o.id = t.id and t.kind = 'dispute_opened' and t.closed_at is null
      ${saleId ? sql`and t.subject_id = ${saleId}` : sql``}
      and t.due_at is distinct from d.due_at
    returning t.id`.execute(ctx.db.q());
  for (const { id } of changed)
    await publish(ctx, { audience: 'role:admin', type: 'task.changed', payload: { task: id } });
}
