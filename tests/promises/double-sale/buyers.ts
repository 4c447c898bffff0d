import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { lateCrypto } from '#gateways/payments/sandbox/banks.ts';
import { actOnSandbox } from '#gateways/payments/sandbox/page.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { createPerson } from '#tests/support/people.ts';
import { chargeFees, type SaleBench, saleBench, target } from '#tests/support/sale-bench.ts';
import { doubleSales, moneyFindings } from '../evidence.ts';
import { type Report, randomFrom, type Size } from '../report.ts';
import { rest } from '../world.ts';

export interface Choices extends Size {
  buyers?: number;
  /** longest random delay before anybody's press, in milliseconds */
  delayMs?: number;
}

/**
 * Many buyers press at once for one house, over both rails and by several processes' connections: in two waves, the second
 * when the first winner's hold has run out. Then both winners pay, one of them too late. One buyer gets the house, everyone
 * else a reason, nobody an error, and at most one payment is kept (R1).
 * @param processes a pool for each process, as its code sees the database
 * @param plain the same database as the providers and the checks see it
 */
export async function manyBuyers(
  processes: Database[],
  plain: Database,
  { size, seed, until = Number.POSITIVE_INFINITY, buyers = 50, delayMs = 500 }: Choices,
): Promise<Report> {
  const random = randomFrom(seed);
  await chargeFees(plain);
  const bench = await saleBench(plain);
  const people: UserActor[] = [];
  for (let count = 0; count < buyers; count += 1) people.push(await createPerson(plain, 'buyer'));
  const findings: string[] = [];
  let trials = 0;
  for (; trials < size && findings.length < 10 && Date.now() < until; trials += 1) {
    const found = await trial({ bench, processes, people, random, delayMs });
    findings.push(...found.map((finding) => `trial ${trials}: ${finding}`));
    // Nobody's tries of one day add up over the trials.
    bench.clock.advance(24 * 3_600_000);
  }
  if (findings.length === 0) {
    await rest(bench);
    findings.push(...(await moneyFindings(bench)));
  }
  return { trials, findings };
}

interface Trial {
  bench: SaleBench;
  processes: Database[];
  people: UserActor[];
  random: () => number;
  delayMs: number;
}

/** A purchase whose page at its provider is open. */
interface Won {
  saleId: string;
  ref: string;
}

async function trial(scene: Trial): Promise<string[]> {
  const { bench, random } = scene;
  const house = await bench.house({ price_cents: 640_000_00 });
  const first = await wave(scene, house);
  if (first.findings.length > 0) return first.findings;
  bench.clock.advance(46 * 60_000);
  await bench.settle();
  const second = await wave(scene, house);
  if (second.findings.length > 0) return second.findings;
  const payments = [() => payLate(scene, first.won), () => payInTime(scene, second.won)];
  await Promise.all((random() < 0.5 ? payments : payments.reverse()).map((pay) => pay()));
  await Promise.all([...first.won, ...second.won].map(({ saleId }) => bench.sync(saleId)));
  const kept = await bench.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('property_id', '=', house)
    .where('stripe_payment_status', '=', 'completed')
    .where('escrow_status', '<>', 'cancelled')
    .execute();
  return kept.length === 1 ? [] : [`kept: ${kept.length} payments of one house`];
}

async function wave(
  { bench, processes, people, random, delayMs }: Trial,
  house: string,
): Promise<{ won: Won[]; findings: string[] }> {
  const won = new Map<string, string>();
  const findings: string[] = [];
  const delays = people.map(() => random() * delayMs);
  const rails = people.map(() => (random() < 0.5 ? ('card' as const) : ('crypto' as const)));
  await Promise.all(
    people.map(async (buyer, at) => {
      await wait(delays[at]);
      const db = processes[at % processes.length] ?? bench.db;
      const ctx = { ...bench.as(buyer), db };
      const input = {
        propertyId: house,
        method: rails[at] ?? 'card',
        expectedCents: null,
        key: randomUUID(),
      };
      try {
        const begun = await beginPurchase(ctx, input, bench.payments);
        if (!begun.ok) {
          if (begun.reason !== 'in_progress') findings.push(`refused for another reason: ${begun.reason}`);
          return;
        }
        const opened = await openCheckout(ctx, target(begun.saleId), bench.payments);
        if (opened.ok) won.set(begun.saleId, opened.url.split('/').at(-1) ?? '');
        else findings.push(`not opened: ${opened.reason}`);
      } catch (error) {
        findings.push(`error: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
  if (won.size !== 1) findings.unshift(`${won.size > 1 ? 'double' : 'nobody'}: ${won.size} buyers may pay`);
  findings.unshift(...(await doubleSales(bench.db)));
  return { won: [...won].map(([saleId, ref]) => ({ saleId, ref })), findings };
}

const payInTime = async ({ bench }: Trial, won: Won[]): Promise<void> => {
  for (const { ref, saleId } of won) {
    await actOnSandbox(bench.db, ref, 'pay', bench.clock.now());
    await bench.sync(saleId);
  }
};

/** On the chain nobody can stop a payment that comes too late; a card's page is closed by then. */
async function payLate({ bench }: Trial, won: Won[]): Promise<void> {
  for (const { ref, saleId } of won) {
    try {
      await lateCrypto(bench.db, ref, bench.clock.now());
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
    }
    await bench.sync(saleId);
  }
}
