import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { MINUTE } from '#platform/durations.ts';
import type { SoakScenario } from './scenario.ts';

/** Waits until a condition holds. @throws Error on timeout */
export async function waitUntil(condition: () => Promise<boolean>, timeoutMs: number): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; !(await condition()); await wait(100))
    if (Date.now() > deadline) throw new Error(`It did not come to be within ${timeoutMs} ms: ${condition}`);
}

/** Settles pending payments, expires unpaid holds, and waits until all messages, refunds and sweeps are done. */
export async function waitUntilSettled({ db }: SoakScenario): Promise<void> {
  const past = new Date(Date.now() - MINUTE);
  await sql`update sandbox_checkouts set settle_at = ${past} where status = 'processing'`.execute(db.q());
  await sql`update sandbox_checkouts set expires_at = ${past} where status = 'open'`.execute(db.q());
  await sql`update property_sales set locked_until = ${past}, next_ask_at = ${past}
    where stripe_payment_status in ('pending', 'processing')`.execute(db.q());
  await waitUntil(async () => {
    const { rows } = await sql<{ open: number }>`select
      (select count(*) from property_sales where stripe_payment_status in ('pending', 'processing')
        or (stripe_payment_status = 'completed' and escrow_status = 'cancelled'))
      + (select count(*) from provider_events where status = 'received')
      + (select count(*) from refunds where status = 'pending')
      + (select count(*) from sandbox_deliveries where delivered_at is null and next_attempt_at < now() + interval '5 minutes')
      as open`.execute(db.q());
    return Number(rows[0]?.open) === 0;
  }, 10 * MINUTE);
}
