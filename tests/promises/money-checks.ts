import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';

/** A payment at a provider and the sale it belongs to. Amounts in cents. */
interface ProviderPayment {
  sale: string | null;
  property: string | null;
  payment: string | null;
  escrow: string | null;
  ref: string;
  amount: number;
  given: number;
  lost: boolean;
}

/**
 * What is wrong with the money once everything has settled (R1, R2, R4): every payment at a provider must belong to one sale
 * that stands, or be fully refunded, or be charged back; no property is sold twice; nothing stays pending.
 */
export async function moneyFindings(bench: { db: Database; system: Ctx }): Promise<string[]> {
  const { db } = bench;
  const found: string[] = [];
  const { rows: paid } = await sql<ProviderPayment>`
    select s.id as sale, s.property_id as property, s.stripe_payment_status as payment, s.escrow_status as escrow, c.ref,
      c.amount_cents as amount, exists (select from sandbox_disputes d where d.checkout_ref = c.ref and d.status = 'lost') as lost,
      coalesce((select sum(r.amount_cents)::bigint from sandbox_refunds r
        where r.checkout_ref = c.ref and r.status = 'succeeded'), 0) as given
    from sandbox_checkouts c left join property_sales s on s.provider_session_id = c.ref
    where c.status = 'paid'`.execute(db.q());
  for (const one of paid) {
    const kept = one.payment === 'completed' && (one.escrow === 'in_escrow' || one.escrow === 'completed');
    const about = `payment ${one.ref} of sale ${one.sale} (${one.payment}/${one.escrow})`;
    const given = Number(one.given);
    if (one.sale === null) found.push(`unowned: ${about}`);
    if (given > Number(one.amount)) found.push(`refunded twice: ${about}: ${given} of ${one.amount}`);
    if (kept && given > 0) found.push(`kept and refunded: ${about}`);
    if (!kept && given < Number(one.amount) && !one.lost) found.push(`unrefunded: ${about}`);
    if (!kept && one.payment !== 'refunded') found.push(`not known as refunded: ${about}`);
  }
  found.push(...(await doubleSales(db)));
  const waiting = await db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'stripe_payment_status as payment'])
    .where('stripe_payment_status', 'in', ['pending', 'processing'])
    .execute();
  found.push(...waiting.map(({ id, payment }) => `waits for ever: sale ${id} is ${payment}`));
  const books = await checkLedger(bench.system);
  found.push(...books.map(({ check, subject, detail }) => `books: ${check}: ${subject}: ${detail}`));
  return found;
}

/** Properties with more than one live sale. */
export async function doubleSales(db: Database): Promise<string[]> {
  const { rows } = await sql<{ property: string; sales: number }>`
    select property_id as property, count(*)::int as sales from property_sales
    where escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded')
    group by property_id having count(*) > 1`.execute(db.q());
  return rows.map(({ property, sales }) => `double: property ${property} has ${sales} live sales`);
}

/** A hash of a sale's ledger entries, without ids and times. */
export async function ledgerHash(db: Database, saleId: string): Promise<string> {
  const { rows } = await sql<{ line: string }>`
    select e.idempotency_key || ' ' || e.kind || ' ' || string_agg(p.account || ' ' || p.amount_cents, ', '
      order by p.account, p.amount_cents) as line
    from ledger_entries e join ledger_postings p on p.entry_id = e.id where e.sale_id = ${saleId}
    group by e.id order by e.idempotency_key`.execute(db.q());
  // Provider-assigned dispute ids differ in every run.
  const text = rows.map(({ line }) => line.replaceAll(saleId, 'sale').replace(/\w*dp_\w+/g, 'dispute'));
  return createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 16);
}
