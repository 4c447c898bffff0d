import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { allocate, basePart, takenPostings } from '#features/ledger/allocation.ts';
import { balancesOf } from '#features/ledger/balances.ts';
import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { postEntry } from '#features/ledger/commands/post-entry.ts';
import type { EntryKind, Posting, SaleAmounts } from '#features/ledger/model.ts';
import { checkLedger } from '#features/ledger/reads.ts';
import {
  costPostings,
  disputedPostings,
  paidPostings,
  releasedPostings,
  reversedPostings,
} from '#features/ledger/rules.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { Database } from '#platform/db/database.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import type { Report, RunOptions } from '../report.ts';

/** The model of a sale, kept independently of the database. */
interface BookedSale {
  id: string;
  amounts: SaleAmounts;
  cost: number;
  stage: 'begun' | 'paid' | 'disputed' | 'released' | 'paying out' | 'over';
  disputes: number;
}

interface Books {
  bench: SaleScenario;
  /** the provider account of all sales */
  account: string;
  random: () => number;
  open: BookedSale[];
  /** expected balance of each account, in cents */
  totals: Map<string, number>;
}

/** Minimum number of operations between full ledger checks; the longer the ledger, the rarer the checks. */
const CHECK_EVERY = 500;
const MAX_OPEN = 40;

/**
 * Runs random operations on the books: sales with random amounts that are paid, released, paid out, refunded, disputed or
 * lost, and entries that must be refused. The invariants hold throughout, and the totals match an independent model (R4).
 */
export async function runRandomBookings(
  db: Database,
  { size, seed, until = Number.POSITIVE_INFINITY }: RunOptions,
): Promise<Report> {
  const bench = await createSaleScenario(db);
  const account = await ensureProviderAccount(bench.system, {
    provider: 'sandbox-card',
    livemode: false,
    account: 'books',
  });
  const books: Books = { bench, account, random: mulberry32(seed), open: [], totals: new Map() };
  const findings: string[] = [];
  let trials = 0;
  while (trials < size && findings.length === 0 && Date.now() < until) {
    for (const end = Math.min(size, trials + Math.max(CHECK_EVERY, trials >> 2)); trials < end; trials += 1)
      findings.push(...(await operate(books)));
    const wrong = await checkLedger(bench.system);
    findings.push(...wrong.map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`));
    findings.push(...(await differences(books)));
  }
  return { trials, findings };
}

async function differences({ bench, totals }: Books): Promise<string[]> {
  const { rows } = await sql<{ account: string; cents: string }>`
    select account, sum(amount_cents)::text as cents from ledger_postings group by account`.execute(
    bench.db.q(),
  );
  const found = new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
  return [...new Set([...found.keys(), ...totals.keys()])]
    .filter((account) => (found.get(account) ?? 0) !== (totals.get(account) ?? 0))
    .map((account) => `${account}: ${found.get(account) ?? 0} instead of ${totals.get(account) ?? 0}`);
}

async function operate(books: Books): Promise<string[]> {
  const { random, open } = books;
  if (open.length === 0 || (open.length < MAX_OPEN && random() < 0.15)) {
    open.push(await beginSale(books));
    return [];
  }
  const at = Math.floor(random() * open.length);
  const sale = open[at] as BookedSale;
  if (random() < 0.2) return tryBadEntry(books, sale);
  await applyNextMove(books, sale);
  if (sale.stage === 'over') open.splice(at, 1);
  return [];
}

const randomInteger = (random: () => number, least: number, most: number) =>
  least + Math.floor(random() * (most - least + 1));

async function beginSale({ bench, account, random }: Books): Promise<BookedSale> {
  const base = Math.ceil(10 ** (random() * 11));
  const agent = randomInteger(random, 0, base);
  const amounts: SaleAmounts = {
    basePriceCents: base,
    buyerFeesCents: random() < 0.3 ? 0 : randomInteger(random, 1, base),
    agentCommissionCents: agent,
    sellerFeesCents: random() < 0.5 ? 0 : randomInteger(random, 0, agent),
  };
  const property_id = await bench.createListing();
  const { id } = await bench.db
    .q()
    .insertInto('property_sales')
    .values({
      property_id,
      buyer_id: bench.buyer.id,
      agent_id: bench.seller.agentId ?? '',
      sale_price_cents: base,
      buyer_fees_cents: amounts.buyerFeesCents,
      seller_fees_cents: amounts.sellerFeesCents,
      admin_percentage: 20,
      agent_commission_cents: agent,
      payment_method: 'card',
      provider: 'sandbox-card',
      provider_account_id: account,
      idempotency_key: randomUUID(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const fee = (applies_to: 'buyer' | 'seller', amount_applied_cents: number) => ({
    sale_id: id,
    name: applies_to,
    fee_type: 'fixed' as const,
    applies_to,
    amount_applied_cents,
  });
  await bench.db
    .q()
    .insertInto('transaction_fees')
    .values([fee('buyer', amounts.buyerFeesCents), fee('seller', amounts.sellerFeesCents)])
    .execute();
  return { id, amounts, cost: randomInteger(random, 0, base), stage: 'begun', disputes: 0 };
}

interface Move {
  entries: [key: string, kind: EntryKind, postings: Posting[]][];
  /** changes to the sale's row; the members below concern other tables */
  set: Parameters<typeof update>[2];
  property?: 'escrow' | 'Sold' | 'Active';
  refund?: boolean;
  stage: BookedSale['stage'];
}

const update = (db: Database, id: string, set: Record<string, string | number | Date | null>) =>
  db.q().updateTable('property_sales').set(set).where('id', '=', id).execute();

async function applyNextMove(books: Books, sale: BookedSale): Promise<void> {
  const { db, system } = books.bench;
  const { entries, set, property, refund, stage } = nextMove(books, sale);
  await db.tx(async () => {
    const q = db.q();
    if (Object.keys(set).length > 0) await update(db, sale.id, set);
    if (property)
      await sql`update properties set status = ${property} where id = (select property_id from property_sales where id = ${sale.id})`.execute(
        q,
      );
    if (refund)
      await sql`insert into refunds (sale_id, amount_cents, base_cents, fees_cents, reason, status, idempotency_key)
        select id, total_cents, sale_price_cents, buyer_fees_cents, 'A test', 'succeeded', id::text
        from property_sales where id = ${sale.id}`.execute(
        q,
      );
    if (stage === 'paying out')
      await sql`insert into payouts (sale_id, agent_id, amount_cents, method, destination, idempotency_key)
        values (${sale.id}, ${books.bench.seller.agentId}, ${owed(sale)}, 'manual', 'A test', ${sale.id})`.execute(
        q,
      );
    if (sale.stage === 'paying out')
      await sql`update payouts set status = 'completed' where sale_id = ${sale.id}`.execute(q);
    for (const [key, kind, postings] of entries)
      if (postings.length > 0)
        await postEntry(system, {
          key: `${key}:${sale.id}`,
          kind,
          saleId: sale.id,
          providerAccountId: books.account,
          memo: 'A test',
          postings,
        });
  });
  for (const [, , postings] of entries)
    for (const { account, cents } of postings)
      books.totals.set(account, (books.totals.get(account) ?? 0) + cents);
  sale.stage = stage;
}

const owed = ({ amounts }: BookedSale) => amounts.agentCommissionCents - amounts.sellerFeesCents;

function nextMove({ bench, random }: Books, sale: BookedSale): Move {
  const { amounts, stage } = sale;
  const total = amounts.basePriceCents + amounts.buyerFeesCents;
  const held = { escrowCents: amounts.basePriceCents, feesCents: amounts.buyerFeesCents };
  switch (stage) {
    case 'begun':
      return {
        entries: [
          ['paid', 'L1', paidPostings(amounts)],
          ['cost', 'L1', costPostings(sale.cost)],
        ],
        set: {
          stripe_payment_status: 'completed',
          escrow_status: 'in_escrow',
          sale_date: bench.clock.now(),
          receipt_number: Math.floor(random() * Number.MAX_SAFE_INTEGER),
        },
        property: 'escrow',
        stage: 'paid',
      };
    case 'paid': {
      const dice = random();
      if (dice < 0.25) {
        sale.disputes += 1;
        return {
          entries: [[`disputed-${sale.disputes}`, 'L5', disputedPostings(total)]],
          set: {},
          stage: 'disputed',
        };
      }
      if (dice < 0.5)
        return {
          entries: [['refunded', 'L4', reversedPostings(paidPostings(amounts))]],
          set: { stripe_payment_status: 'refunded', escrow_status: 'cancelled' },
          property: 'Active',
          refund: true,
          stage: 'over',
        };
      return {
        entries: [['released', 'L2', releasedPostings(amounts, held)]],
        set: { escrow_status: 'completed', payout_status: 'pending' },
        property: 'Sold',
        stage: owed(sale) > 0 ? 'released' : 'over',
      };
    }
    case 'disputed':
      return random() < 0.5
        ? {
            entries: [[`won-${sale.disputes}`, 'L5', reversedPostings(disputedPostings(total))]],
            set: {},
            stage: 'paid',
          }
        : {
            entries: [['lost', 'L5', lostPostings(amounts)]],
            set: { stripe_payment_status: 'refunded', escrow_status: 'cancelled' },
            property: 'Active',
            refund: true,
            stage: 'over',
          };
    case 'released':
      return {
        entries: [['payout', 'L3', payout('seller_payable', 'payout_in_transit', owed(sale))]],
        set: { payout_status: 'processing' },
        stage: 'paying out',
      };
    default:
      return {
        entries: [['settled', 'L3', payout('payout_in_transit', 'clearing', owed(sale))]],
        set: { payout_status: 'completed' },
        stage: 'over',
      };
  }
}

const payout = (from: Posting['account'], to: Posting['account'], cents: number): Posting[] => [
  { account: from, cents },
  { account: to, cents: -cents },
];

const REFUSALS =
  /is wrong|more than is held|outside a transaction|Not authorized|violates foreign key constraint/;

/** Tries an entry that must be refused: unbalanced, empty, zero, fractional, overdrawn, outside a transaction, or by a user. */
async function tryBadEntry({ bench, account, random }: Books, sale: BookedSale): Promise<string[]> {
  const { basePriceCents: base, buyerFeesCents: fees } = sale.amounts;
  const cents = randomInteger(random, 1, base);
  const bad: Posting[][] = [
    [
      { account: 'disputed', cents },
      { account: 'clearing', cents: -cents - 1 },
    ],
    [],
    [{ account: 'disputed', cents }],
    [
      { account: 'disputed', cents: 0 },
      { account: 'clearing', cents: 0 },
    ],
    [
      { account: 'disputed', cents: cents + 0.5 },
      { account: 'clearing', cents: -cents - 0.5 },
    ],
    payout('escrow_held', 'clearing', base + cents),
    payout('fees_held', 'clearing', fees + cents),
    payout('no_such_account' as Posting['account'], 'clearing', cents),
  ];
  const at = Math.floor(random() * (bad.length + 2));
  const postings = bad[at] ?? payout('disputed', 'clearing', cents);
  const entry = {
    key: `bad:${randomUUID()}`,
    kind: 'L5' as const,
    saleId: sale.id,
    providerAccountId: account,
    memo: 'A test',
    postings,
  };
  try {
    if (at === bad.length) await postEntry(bench.system, entry);
    else
      await bench.db.tx(() =>
        postEntry(at > bad.length ? bench.contextFor(bench.admin) : bench.system, entry),
      );
    return [`got in: ${JSON.stringify(entry)}`];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return REFUSALS.test(reason) ? [] : [`refused for another reason: ${reason}`];
  }
}
