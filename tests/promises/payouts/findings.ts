import { sql } from 'kysely';
import { checkLedger } from '#features/ledger/reads.ts';
import type { PayoutMarket } from './market.ts';

/** What is wrong once every seller is said to be paid. */
export async function payoutFindings({ saleScenario, db, owed }: PayoutMarket): Promise<string[]> {
  const findings: string[] = [];
  const arrived = await arrivedBySale(db);
  for (const [sale, cents] of owed) {
    const got = arrived.get(sale) ?? 0;
    if (got !== cents) findings.push(`sale ${sale}: owed ${cents}, the provider has paid ${got}`);
  }
  for (const sale of arrived.keys())
    if (!owed.has(sale)) findings.push(`sale ${sale}: paid, and nothing was owed`);
  const { disagreeing, unsettled, differences } = await openBooks(db);
  findings.push(...disagreeing.map(({ sale, ours }) => `sale ${sale}: paid ${ours} by our record`));
  findings.push(...unsettled.map(({ sale, account, cents }) => `sale ${sale}: ${cents} left in ${account}`));
  findings.push(
    ...differences.map(
      ({ method, ours, theirs }) => `balance of ${method}: ${ours} in the books, ${theirs} there`,
    ),
  );
  const books = await checkLedger(saleScenario.system);
  findings.push(...books.map(({ check, subject, detail }) => `books: ${check}: ${subject}: ${detail}`));
  return findings;
}

/** What has arrived with sellers and stayed there, as the provider knows it. */
async function arrivedBySale(db: PayoutMarket['db']): Promise<Map<string, number>> {
  const { rows } = await sql<{ sale: string; cents: number }>`
    select p.sale_id::text as sale, sum(i.amount_cents - i.returned_cents)::bigint as cents
    from sandbox_payout_items i join sandbox_payouts p on p.id = i.payout_id
    where i.state in ('success', 'unclaimed') group by p.sale_id`.execute(db.q());
  return new Map(rows.map(({ sale, cents }) => [sale, Number(cents)]));
}

async function openBooks(db: PayoutMarket['db']) {
  const disagreeing = await sql<{ sale: string; ours: number }>`
    select o.sale_id::text as sale, sum(o.paid_cents - o.returned_cents - o.reversed_cents)::bigint as ours
    from payouts o group by o.sale_id
    having sum(o.paid_cents - o.returned_cents - o.reversed_cents) <> coalesce((
      select sum(i.amount_cents - i.returned_cents) from sandbox_payout_items i join sandbox_payouts p on p.id = i.payout_id
      where p.sale_id::text = o.sale_id::text and i.state in ('success', 'unclaimed')), 0)`.execute(db.q());
  const unsettled = await sql<{ sale: string; account: string; cents: number }>`
    select e.sale_id::text as sale, p.account, sum(p.amount_cents)::bigint as cents
    from ledger_postings p join ledger_entries e on e.id = p.entry_id
    where p.account in ('seller_payable', 'payout_in_transit', 'seller_receivable')
    group by e.sale_id, p.account having sum(p.amount_cents) <> 0`.execute(db.q());
  const differences = await sql<{ method: string; ours: number; theirs: number }>`
    select coalesce(ours.method, theirs.method) as method, coalesce(ours.cents, 0) as ours, coalesce(theirs.cents, 0) as theirs
    from (select replace(a.provider, 'sandbox-', '') as method, sum(p.amount_cents)::bigint as cents
        from ledger_postings p join provider_accounts a on a.id = p.provider_account_id
        where p.account = 'clearing' group by 1) ours
      full join (select t.method, sum(t.amount_cents - t.fee_cents)::bigint as cents from sandbox_transactions t
        where t.kind <> 'adjustment' group by 1) theirs on theirs.method = ours.method
    where coalesce(ours.cents, 0) <> coalesce(theirs.cents, 0)`.execute(db.q());
  return { disagreeing: disagreeing.rows, unsettled: unsettled.rows, differences: differences.rows };
}
