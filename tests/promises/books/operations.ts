import { sql } from 'kysely';
import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { checkLedger } from '#features/ledger/reads.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import type { Report, RunOptions } from '../report.ts';
import { tryBadEntry } from './bad-entries.ts';
import type { Books } from './books.ts';
import { beginSale } from './books.ts';
import { decide } from './decisions.ts';
import { clearingOf, proceed } from './provider.ts';

/** Minimum number of operations between full ledger checks; the longer the ledger, the rarer the checks. */
const CHECK_EVERY = 200;
const MAX_OPEN = 30;
/** Operations after which a sale is left alone. */
const MAX_OPERATIONS = 40;

/**
 * Runs random operations through the commands: payments that match or differ, refunds and disputes in any order and of any
 * amount, what buyers, sellers and administrators decide, and entries that must be refused. The invariants hold throughout, and
 * what the books say about each payment is what its provider says (R4).
 */
export async function runRandomBookings(db: Database, { size, seed }: RunOptions): Promise<Report> {
  const saleScenario = await createSaleScenario(db);
  const account = await ensureProviderAccount(saleScenario.system, {
    provider: 'sandbox-card',
    livemode: false,
    account: 'books',
  });
  const books: Books = { saleScenario, account, random: mulberry32(seed), open: [] };
  const findings: string[] = [];
  let trials = 0;
  while (trials < size && findings.length === 0) {
    for (const end = Math.min(size, trials + Math.max(CHECK_EVERY, trials >> 2)); trials < end; trials += 1)
      findings.push(...(await operate(books)));
    const wrong = await checkLedger(saleScenario.system);
    findings.push(...wrong.map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`));
    findings.push(...(await differences(books)));
  }
  return { trials, findings };
}

async function operate(books: Books): Promise<string[]> {
  const { saleScenario, random, open } = books;
  saleScenario.clock.advance(MINUTE);
  if (open.length === 0 || (open.length < MAX_OPEN && random() < 0.1)) {
    open.push(await beginSale(books));
    return [];
  }
  const at = Math.floor(random() * open.length);
  const sale = open[at];
  if (!sale) return [];
  sale.operations += 1;
  if (sale.operations > MAX_OPERATIONS) {
    const found = await differences({ ...books, open: [sale] });
    open.splice(at, 1);
    return found;
  }
  const dice = random();
  if (dice < 0.1) return tryBadEntry(books, sale);
  if (dice < 0.45) await decide(books, sale);
  else await proceed(books, sale);
  return [];
}

/** Where the books say something else about a payment than its provider. */
async function differences({ saleScenario, open }: Books): Promise<string[]> {
  const { rows } = await sql<{ id: string; cents: string }>`
    select e.sale_id as id, sum(p.amount_cents)::text as cents
    from ledger_entries e join ledger_postings p on p.entry_id = e.id
    where p.account = 'clearing' and e.sale_id = any(${open.map(({ id }) => id)}::uuid[]) group by e.sale_id`.execute(
    saleScenario.db.q(),
  );
  const booked = new Map(rows.map(({ id, cents }) => [id, Number(cents)]));
  return open
    .filter((sale) => sale.told && (booked.get(sale.id) ?? 0) !== clearingOf(sale))
    .map(
      (sale) =>
        `sale ${sale.id}: ${booked.get(sale.id) ?? 0} cents in the books, ${clearingOf(sale)} at the provider: ${JSON.stringify(sale.checkout)}`,
    );
}
