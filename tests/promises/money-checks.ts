import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { checkStates } from '#features/audit/check-states.ts';
import { findingList } from '#features/audit/findings.ts';
import { stateKinds } from '#features/audit/states.ts';
import { checkLedger } from '#features/ledger/reads.ts';
import type { Ctx } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { reportFindings } from './report-checks.ts';

/** A payment at a provider and the sale it belongs to. Amounts in cents. */
interface ProviderPayment {
  sale: string | null;
  property: string | null;
  payment: string | null;
  escrow: string | null;
  ref: string;
  amount: number;
  /** refunded at the provider, or from our bank account */
  given: number;
  /** taken back by disputes */
  lost: number;
  /** what all of it has left in the account at the provider, but for what went to the seller: see `payoutFindings` */
  net: number;
  /** the same by our books */
  booked: number;
  /** an administrator has been told that something is wrong */
  told: boolean;
}

/**
 * What is wrong with the money once everything has settled (R1, R2, R4, R17): every payment at a provider must belong to one sale
 * that stands, or have gone back to the buyer; what went back twice must be known; the books must say of each payment what the
 * provider says; no property is sold twice; nothing stays pending; every move of a sale has its audit row.
 */
export async function moneyFindings(scenario: { db: Database; system: Ctx }): Promise<string[]> {
  const { db } = scenario;
  const { rows: paid } = await sql<ProviderPayment>`
    select s.id as sale, s.property_id as property, s.stripe_payment_status as payment, s.escrow_status as escrow, c.ref,
      -- Of a payment in parts, what has arrived.
      case when c.in_parts then c.received_cents else c.amount_cents end as amount,
      coalesce((select sum(r.amount_cents)::bigint from sandbox_refunds r
        where r.checkout_ref = c.ref and r.status = 'succeeded'), 0)
        + coalesce((select sum(b.amount_cents)::bigint from refunds b
        where b.sale_id = s.id and b.origin = 'bank' and b.status = 'succeeded'), 0) as given,
      coalesce((select sum(d.amount_cents - d.returned_cents)::bigint from sandbox_disputes d
        where d.checkout_ref = c.ref and d.kind = 'chargeback' and d.status = 'lost'), 0) as lost,
      coalesce((select sum(t.amount_cents - t.fee_cents)::bigint from sandbox_transactions t
        where t.checkout_ref = c.ref and t.kind not in ('transfer', 'transfer_return')), 0) as net,
      coalesce((select sum(p.amount_cents)::bigint from ledger_postings p join ledger_entries e on e.id = p.entry_id
        where e.sale_id = s.id and p.account = 'clearing' and e.kind <> 'L3'), 0) as booked,
      exists (select from breaks b where b.sale_id = s.id) as told
    from sandbox_checkouts c left join property_sales s on s.provider_session_id = c.ref
    where c.status = 'paid' or c.received_cents > 0`.execute(db.q());
  const found = paid.flatMap(paymentFindings);
  const { rows: strange } = await sql<{ ref: string }>`
    select ref from sandbox_refunds s where s.key is not null
      and not exists (select from refunds r
        where r.provider_ref = coalesce(s.batch, s.ref) and r.origin = 'platform')`.execute(db.q());
  found.push(...strange.map(({ ref }) => `not known as ours: refund ${ref}`));
  found.push(...(await doubleSales(db)), ...(await payoutFindings(db)));
  const waiting = await db
    .q()
    .selectFrom('property_sales')
    .select(['id', 'stripe_payment_status as payment'])
    .where('stripe_payment_status', 'in', ['pending', 'processing'])
    .execute();
  found.push(...waiting.map(({ id, payment }) => `waits for ever: sale ${id} is ${payment}`));
  const books = await checkLedger(scenario.system);
  found.push(...books.map(({ check, subject, detail }) => `books: ${check}: ${subject}: ${detail}`));
  found.push(...(await auditFindings(scenario.system)), ...(await reportFindings(scenario.system)));
  return found;
}

/** Sales that are not as their audit rows say. */
async function auditFindings(ctx: Ctx): Promise<string[]> {
  const found = findingList();
  await checkStates(
    ctx,
    found,
    stateKinds.filter(({ entity }) => entity === 'property_sale'),
  );
  return found.listed.map(({ check, subject, detail }) => `audit: ${check}: ${subject}: ${detail}`);
}

function paymentFindings(one: ProviderPayment): string[] {
  const [amount, given, lost] = [Number(one.amount), Number(one.given), Number(one.lost)];
  const about = `payment ${one.ref} of sale ${one.sale} (${one.payment}/${one.escrow})`;
  const isRetained =
    // The rest of a payment in parts is awaited.
    one.payment === 'processing' ||
    (one.payment === 'completed' && (one.escrow === 'in_escrow' || one.escrow === 'completed'));
  const isGone = given + lost >= amount;
  return [
    one.sale === null && `unowned: ${about}`,
    given + lost > amount && !one.told && `went back twice: ${about}: ${given} and ${lost} of ${amount}`,
    isRetained && isGone && !one.told && `kept and refunded: ${about}`,
    !isRetained && !isGone && `unrefunded: ${about}`,
    !isRetained && one.payment !== 'refunded' && `not known as refunded: ${about}`,
    Number(one.net) !== Number(one.booked) &&
      `books: ${about}: ${one.booked} in the books, ${one.net} at the provider`,
  ].filter((finding) => finding !== false);
}

/** What is wrong with what sellers were paid, by the providers' own books. */
export async function payoutFindings(db: Database): Promise<string[]> {
  const { rows: running } = await sql<{ sale: string }>`
    select sale_id as sale from payouts where status = 'processing' and provider is not null
    union select sale_id from payout_reversals where status = 'pending'`.execute(db.q());
  return [
    ...running.map(({ sale }) => `waits for ever: a payout of sale ${sale}`),
    ...(await paidOutFindings(db)),
    ...(await movedFindings(db)),
  ];
}

/** What sellers have at the providers must be what their payouts say; a payout under way may be ahead of us. */
async function paidOutFindings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ sale: string; ours: number; theirs: number }>`
    select coalesce(o.sale_id::text, t.sale_id) as sale, coalesce(o.ours, 0) as ours, coalesce(t.theirs, 0) as theirs
    from (select sale_id, sum(paid_cents - returned_cents - reversed_cents) as ours, bool_or(status = 'processing') as runs
      from payouts where provider is not null group by sale_id) o
    full join (select p.sale_id, sum(i.amount_cents - i.returned_cents) as theirs
      from sandbox_payouts p join sandbox_payout_items i on i.payout_id = p.id
      where i.state not in ('pending', 'failed', 'onhold', 'blocked') group by p.sale_id) t on t.sale_id = o.sale_id::text
    where o.runs is not true and coalesce(o.ours, 0) <> coalesce(t.theirs, 0)`.execute(db.q());
  return rows.map(
    ({ sale, ours, theirs }) => `payouts: sale ${sale}: ${ours} by us, ${theirs} at the provider`,
  );
}

/** What left the balances of the providers for the seller of a sale, fees included, must be what the ledger says. */
async function movedFindings(db: Database): Promise<string[]> {
  const { rows } = await sql<{ sale: string; ours: number; theirs: number }>`
    select coalesce(o.sale_id::text, t.sale_id) as sale, coalesce(o.ours, 0) as ours, coalesce(t.theirs, 0) as theirs
    from (select e.sale_id, sum(p.amount_cents) as ours from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where e.kind = 'L3' and p.account = 'clearing' group by e.sale_id) o
    full join (select sale_id, sum(amount_cents - fee_cents) as theirs from sandbox_transactions
      where kind in ('transfer', 'transfer_return') group by sale_id) t on t.sale_id = o.sale_id::text
    where coalesce(o.ours, 0) <> coalesce(t.theirs, 0) and not exists (select from payouts r
      where r.sale_id::text = coalesce(o.sale_id::text, t.sale_id) and r.status = 'processing')`.execute(
    db.q(),
  );
  return rows.map(
    ({ sale, ours, theirs }) => `payouts: sale ${sale}: ${ours} moved by us, ${theirs} by the provider`,
  );
}

/** Properties with more than one live sale. */
export async function doubleSales(db: Database): Promise<string[]> {
  const { rows } = await sql<{ property: string; sales: number }>`
    select property_id as property, count(*)::int as sales from property_sales
    where escrow_status <> 'cancelled' and stripe_payment_status not in ('failed', 'refunded') and property_gone_at is null
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
  // Provider-assigned ids of disputes and transfers differ in every run.
  const text = rows
    .map(({ line }) =>
      line
        .replaceAll(saleId, 'sale')
        .replace(/\w*dp_\w+/g, 'dispute')
        .replace(/^(payout-(?:paid|failed|returned)):(?:[^:]*[^:\d][^:]*|\d{13}):/, '$1:item:'),
    )
    .sort();
  return createHash('sha256').update(text.join('\n')).digest('hex').slice(0, 16);
}
