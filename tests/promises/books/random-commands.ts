import { sql } from 'kysely';
import { checkLedger } from '#features/ledger/reads.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { Database } from '#platform/db/database.ts';
import { SECOND } from '#platform/durations.ts';
import { AppError } from '#platform/errors.ts';
import { chargeFees, createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { moneyFindings } from '../money-checks.ts';
import type { Report, RunOptions } from '../report.ts';
import { settleAll } from '../scenario.ts';
import { type Market, type MarketSale, type Stage, stageOf } from './market.ts';
import { beginSale, letTimePass, operationsAt } from './sale-operations.ts';

/** Minimum number of operations between full checks; the longer the ledger, the rarer the checks. */
const CHECK_EVERY = 500;
const MAX_OPEN = 40;
const BUYERS = 12;

/**
 * Runs random operations of buyers, sellers, administrators, providers and timers through the commands that the pages and jobs
 * call, and now and then something that must be refused. The books balance throughout, every sale is where the operation
 * should have brought it, and the accounts hold what a model of the sales says (R4).
 */
export async function runRandomCommands(db: Database, { size, seed }: RunOptions): Promise<Report> {
  await chargeFees(db);
  const saleScenario = await createSaleScenario(db);
  const buyers = [saleScenario.buyer];
  while (buyers.length < BUYERS) buyers.push(await createUser(db, 'buyer'));
  const market: Market = { saleScenario, buyers, random: mulberry32(seed), open: [], totals: new Map() };
  const findings: string[] = [];
  let trials = 0;
  while (trials < size && findings.length === 0) {
    const end = Math.min(size, trials + Math.max(CHECK_EVERY, trials >> 2));
    for (; trials < end && findings.length === 0; trials += 1) findings.push(...(await operate(market)));
    findings.push(...(await bookFindings(market)));
  }
  if (findings.length === 0) {
    await settleAll(saleScenario);
    findings.push(...(await moneyFindings(saleScenario)));
  }
  return { trials, findings };
}

async function operate(market: Market): Promise<string[]> {
  const { saleScenario, random, open } = market;
  saleScenario.clock.advance(30 * SECOND);
  const dice = random();
  if (open.length === 0 || (open.length < MAX_OPEN && dice < 0.15)) return refusable(() => beginSale(market));
  if (dice > 0.985) {
    await letTimePass(market);
    return (await Promise.all(open.map((sale) => follow(market, sale, null)))).flat();
  }
  const sale = open[Math.floor(random() * open.length)] as MarketSale;
  const operations = operationsAt(sale.stage);
  const { name, run } = operations[Math.floor(random() * operations.length)] as (typeof operations)[number];
  let expected: Stage = sale.stage;
  const refused = await refusable(async () => {
    expected = await run(market, sale);
  });
  return [...refused, ...(await follow(market, sale, { name, expected }))];
}

/** Work that may be refused with a typed error; any other error is a finding. */
async function refusable(work: () => Promise<void>): Promise<string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof PaymentError || error instanceof AppError) return [];
    return [`error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`];
  }
}

/** Where time may bring a sale by itself. */
const BY_TIME: Record<Stage, readonly Stage[]> = {
  open: ['open', 'over'],
  submitted: ['submitted', 'held'],
  held: ['held', 'released'],
  disputed: ['disputed'],
  returning: ['returning', 'over'],
  released: ['released'],
  over: ['over'],
};

/** Compares the stage of a sale with the expected one and keeps the model up to date; no operation means that time passed. */
async function follow(
  { saleScenario, open, totals }: Market,
  sale: MarketSale,
  operation: { name: string; expected: Stage } | null,
): Promise<string[]> {
  const stage = await stageOf(saleScenario.db, sale.id);
  const allowed = operation ? [operation.expected] : BY_TIME[sale.stage];
  if (!allowed.includes(stage))
    return [
      `sale ${sale.id} was ${sale.stage}, and is ${stage} instead of ${allowed.join(' or ')} after ${operation?.name ?? 'some time'}`,
    ];
  sale.stage = stage;
  if (stage !== 'over' && stage !== 'released') return [];
  open.splice(open.indexOf(sale), 1);
  addTo(totals, sale);
  return [];
}

/** Adds what the accounts hold for a sale at its stage, in cents; what the provider keeps is known to the provider alone. */
function addTo(totals: Map<string, number>, { stage, terms }: MarketSale): void {
  const { basePriceCents: base, buyerFeesCents, agentCommissionCents, sellerFeesCents, totalCents } = terms;
  const add = (account: string, cents: number) => totals.set(account, (totals.get(account) ?? 0) + cents);
  if (stage === 'held' || stage === 'disputed' || stage === 'returning') {
    add('escrow_held', -base);
    add('fees_held', -buyerFeesCents);
  }
  if (stage === 'disputed') add('disputed', totalCents);
  if (stage !== 'released') return;
  add('seller_payable', sellerFeesCents - agentCommissionCents);
  add('platform_revenue', agentCommissionCents - sellerFeesCents - base);
  add('fee_revenue', -buyerFeesCents);
}

const ACCOUNTS = [
  'escrow_held',
  'fees_held',
  'disputed',
  'seller_payable',
  'platform_revenue',
  'fee_revenue',
] as const;

async function bookFindings({ saleScenario, open, totals }: Market): Promise<string[]> {
  const wrong = await checkLedger(saleScenario.system);
  const expected = new Map(totals);
  for (const sale of open) addTo(expected, sale);
  const { rows } = await sql<{ account: string; cents: string }>`
    select account, sum(amount_cents)::text as cents from ledger_postings group by account`.execute(
    saleScenario.db.q(),
  );
  const found = new Map(rows.map(({ account, cents }) => [account, Number(cents)]));
  return [
    ...wrong.map(({ check, subject, detail }) => `${check}: ${subject}: ${detail}`),
    ...ACCOUNTS.filter((account) => (found.get(account) ?? 0) !== (expected.get(account) ?? 0)).map(
      (account) => `${account}: ${found.get(account) ?? 0} instead of ${expected.get(account) ?? 0}`,
    ),
  ];
}
