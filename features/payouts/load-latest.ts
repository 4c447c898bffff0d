import { sql } from 'kysely';
import type { Ctx } from '#platform/context.ts';
import type { RecordedFailure } from './failure-texts.ts';
import type { PayoutRowStatus } from './model.ts';
import { payoutReference } from './sql.ts';
import type { LatestPayout } from './standing.ts';

interface Row {
  sale_id: string;
  status: PayoutRowStatus;
  method: 'stripe' | 'paypal' | 'manual';
  amount: number;
  netted: number;
  paid: number;
  failure: string | null;
  reference: string | null;
  arrives_at: Date | null;
  settled_at: Date | null;
}

/** The latest attempt to pay each of some sales; sales that nobody has tried to pay are left out. */
export async function latestPayouts(
  ctx: Ctx,
  saleIds: readonly string[],
): Promise<Map<string, LatestPayout>> {
  const { rows } = await sql<Row>`
    select distinct on (p.sale_id) p.sale_id, p.status, p.method, p.amount_cents as amount, p.netted_cents as netted,
      p.paid_cents as paid, p.failure, ${payoutReference} as reference, p.arrives_at, p.settled_at
    from payouts p where p.sale_id = any(${saleIds}::uuid[])
    order by p.sale_id, p.attempt desc`.execute(ctx.db.q());
  return new Map(
    rows.map((row) => [
      row.sale_id,
      {
        status: row.status,
        byHand: row.method === 'manual',
        amountCents: row.amount,
        nettedCents: row.netted,
        paidCents: row.paid,
        failure: row.failure as RecordedFailure | null,
        reference: row.reference,
        arrivesAt: row.arrives_at,
        settledAt: row.settled_at,
      },
    ]),
  );
}
