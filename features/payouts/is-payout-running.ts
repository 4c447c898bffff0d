import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';

/** Whether money is on its way to a seller: its destination cannot go away meanwhile. */
export async function isPayoutRunning(ctx: Ctx, agentId: string): Promise<boolean> {
  const { rows } = await sql<{ running: boolean }>`select
    exists (select from payouts where agent_id = ${agentId} and status = 'processing')
    or exists (select from property_sales where agent_id = ${agentId} and payout_status = 'processing') as running`.execute(
    ctx.db.q(),
  );
  return rows[0]?.running ?? false;
}
