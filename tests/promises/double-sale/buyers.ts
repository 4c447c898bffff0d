import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { PaymentError } from '#gateways/payments/port.ts';
import { performSandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { payExpiredCrypto } from '#gateways/payments/sandbox/settlement.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY, MINUTE } from '#platform/durations.ts';
import {
  chargeFees,
  checkoutTarget,
  createSaleScenario,
  type SaleScenario,
} from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { doubleSales, moneyFindings } from '../money-checks.ts';
import type { Report, RunOptions } from '../report.ts';
import { settleAll } from '../scenario.ts';

interface RushOptions extends RunOptions {
  buyers?: number;
  /** maximum random delay before each attempt, in milliseconds */
  delayMs?: number;
}

/**
 * Many buyers try to buy one property at once, with both payment methods and through several processes' connections: in two
 * waves, the second after the first winner's hold has expired. Then both winners pay, one of them too late. One buyer gets the
 * property, everyone else a reason, nobody an error, and at most one payment is kept (R1).
 * @param processes a connection pool per process, possibly wrapped
 * @param unwrapped the same database unwrapped, for providers and checks
 */
export async function manyBuyers(
  processes: Database[],
  unwrapped: Database,
  { size, seed, buyers = 50, delayMs = 500 }: RushOptions,
): Promise<Report> {
  const random = mulberry32(seed);
  await chargeFees(unwrapped);
  const saleScenario = await createSaleScenario(unwrapped);
  const users: UserActor[] = [];
  for (let count = 0; count < buyers; count += 1) users.push(await createUser(unwrapped, 'buyer'));
  const findings: string[] = [];
  let trials = 0;
  for (; trials < size && findings.length < 10; trials += 1) {
    const found = await trial({ saleScenario, processes, users, random, delayMs });
    findings.push(...found.map((finding) => `trial ${trials}: ${finding}`));
    // Daily attempt limits must not add up over the trials.
    saleScenario.clock.advance(DAY);
  }
  if (findings.length === 0) {
    await settleAll(saleScenario);
    findings.push(...(await moneyFindings(saleScenario)));
  }
  return { trials, findings };
}

interface Trial {
  saleScenario: SaleScenario;
  processes: Database[];
  users: UserActor[];
  random: () => number;
  delayMs: number;
}

/** A purchase with an open checkout. */
interface OpenCheckout {
  saleId: string;
  ref: string;
}

async function trial(context: Trial): Promise<string[]> {
  const { saleScenario, random } = context;
  const propertyId = await saleScenario.createListing({ price_cents: 640_000_00 });
  const first = await wave(context, propertyId);
  if (first.findings.length > 0) return first.findings;
  saleScenario.clock.advance(46 * MINUTE);
  await saleScenario.settle();
  const second = await wave(context, propertyId);
  if (second.findings.length > 0) return second.findings;
  const payments = [() => payLate(context, first.won), () => payInTime(context, second.won)];
  await Promise.all((random() < 0.5 ? payments : payments.reverse()).map((pay) => pay()));
  await Promise.all([...first.won, ...second.won].map(({ saleId }) => saleScenario.sync(saleId)));
  const kept = await saleScenario.db
    .q()
    .selectFrom('property_sales')
    .select('id')
    .where('property_id', '=', propertyId)
    .where('stripe_payment_status', '=', 'completed')
    .where('escrow_status', '<>', 'cancelled')
    .execute();
  return kept.length === 1 ? [] : [`kept: ${kept.length} payments for one property`];
}

async function wave(
  { saleScenario, processes, users, random, delayMs }: Trial,
  propertyId: string,
): Promise<{ won: OpenCheckout[]; findings: string[] }> {
  const won = new Map<string, string>();
  const findings: string[] = [];
  const delays = users.map(() => random() * delayMs);
  const methods = users.map(() => (random() < 0.5 ? ('card' as const) : ('crypto' as const)));
  await Promise.all(
    users.map(async (buyer, at) => {
      await wait(delays[at]);
      const db = processes[at % processes.length] ?? saleScenario.db;
      const ctx = { ...saleScenario.contextFor(buyer), db };
      const input = {
        propertyId: propertyId,
        method: methods[at] ?? 'card',
        expectedCents: null,
        key: randomUUID(),
      };
      try {
        const begun = await beginPurchase({ ...ctx, payments: saleScenario.payments }, input);
        if (!begun.ok) {
          if (begun.reason !== 'in_progress') findings.push(`refused for another reason: ${begun.reason}`);
          return;
        }
        const opened = await openCheckout(
          { ...ctx, payments: saleScenario.payments },
          checkoutTarget(begun.saleId),
        );
        if (opened.ok) won.set(begun.saleId, opened.url.split('/').at(-1) ?? '');
        else findings.push(`not opened: ${opened.reason}`);
      } catch (error) {
        findings.push(`error: ${error instanceof Error ? error.message : String(error)}`);
      }
    }),
  );
  if (won.size !== 1) findings.unshift(`${won.size > 1 ? 'double' : 'nobody'}: ${won.size} buyers may pay`);
  findings.unshift(...(await doubleSales(saleScenario.db)));
  return { won: [...won].map(([saleId, ref]) => ({ saleId, ref })), findings };
}

const payInTime = async ({ saleScenario }: Trial, won: OpenCheckout[]): Promise<void> => {
  for (const { ref, saleId } of won) {
    await performSandboxAction(saleScenario.db, ref, 'pay', saleScenario.clock.now());
    await saleScenario.sync(saleId);
  }
};

/** A late crypto payment cannot be prevented; a card checkout is closed by then. */
async function payLate({ saleScenario }: Trial, won: OpenCheckout[]): Promise<void> {
  for (const { ref, saleId } of won) {
    try {
      await payExpiredCrypto(saleScenario.db, ref, saleScenario.clock.now());
    } catch (error) {
      if (!(error instanceof PaymentError)) throw error;
    }
    await saleScenario.sync(saleId);
  }
}
