import { changeSetting } from '#features/settings/commands/change-setting.ts';
import { adjustSandbox } from '#gateways/payments/sandbox/treasury.ts';
import type { Payouts } from '#gateways/payouts/port.ts';
import { defaultPayoutAccount } from '#gateways/payouts/sandbox/rules.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { DAY } from '#platform/durations.ts';
import { connectSeller, releasedSale } from '#tests/support/fixtures/payable-sellers.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';

/** A seller has about this many sales. */
const SALES_PER_SELLER = 100;
/** Cents. Some are above the limit of one part at PayPal, $20,000. */
const [LEAST, MOST] = [1_000_00, 90_000_00];
/** Cents. Large runs of the schedule and of administrators are above it, others below. */
const APPROVED_ABOVE = 2_000_000_00;
/** Cents; fills the balance at PayPal. */
const PAYPAL_BALANCE = 1_000_000_000_00;

/** Sellers, half of them paid by each provider, with sales whose escrow is released and whose hold is over. */
export interface PayoutMarket {
  saleScenario: SaleScenario;
  db: Database;
  administrators: readonly [UserActor, UserActor];
  /** what the ledger owes for each sale at the start, in cents */
  owed: Map<string, number>;
  /** accounts of the sellers whom Stripe pays */
  accounts: string[];
  /** the providers as the processes see them */
  wrapPayouts: (payouts: Payouts) => Payouts;
  /** the faults that were played */
  counts: { deaths: number; 'calls without an answer': number; 'failures at the provider': number };
}

export async function createPayoutMarket(
  db: Database,
  {
    sales,
    random,
    wrapPayouts,
  }: { sales: number; random: () => number; wrapPayouts: PayoutMarket['wrapPayouts'] },
): Promise<PayoutMarket> {
  const saleScenario = await createSaleScenario(db);
  const administrators = [await createUser(db, 'admin'), await createUser(db, 'admin')] as const;
  const sellers: UserActor[] = [];
  for (let at = 0; at < Math.max(2, Math.round(sales / SALES_PER_SELLER)); at += 1)
    sellers.push(await seller(saleScenario, at % 2 === 0));
  const change = (name: string, value: unknown) =>
    changeSetting(saleScenario.contextFor(saleScenario.admin), { name, value });
  await change('payout_approval_cents', APPROVED_ABOVE);
  await change('payout_schedule', { frequency: 'daily', minimumCents: 100_00 });
  await adjustSandbox(db, defaultPayoutAccount('paypal'), PAYPAL_BALANCE, saleScenario.clock.now());
  saleScenario.clock.advance(4 * DAY);
  for (let at = 0; at < sales; at += 1) {
    const cents = LEAST + Math.floor(random() * (MOST - LEAST));
    await releasedSale(saleScenario, sellers[at % sellers.length] ?? saleScenario.seller, cents);
  }
  saleScenario.clock.advance(8 * DAY);
  return {
    saleScenario,
    db,
    administrators,
    owed: await owedBySale(db),
    accounts: await accountsOf(db),
    wrapPayouts,
    counts: { deaths: 0, 'calls without an answer': 0, 'failures at the provider': 0 },
  };
}

async function seller(saleScenario: SaleScenario, isByStripe: boolean): Promise<UserActor> {
  const user = await createUser(saleScenario.db, 'agent');
  if (isByStripe) await connectSeller(saleScenario, user);
  else
    await saleScenario.db
      .q()
      .updateTable('agents')
      .set({
        preferred_payout_method: 'paypal',
        paypal_email: user.email,
        paypal_confirmed_at: saleScenario.clock.now(),
        payout_status: 'complete',
      })
      .where('id', '=', user.agentId)
      .execute();
  return user;
}

async function owedBySale(db: Database): Promise<Map<string, number>> {
  const rows = await db
    .q()
    .selectFrom('ledger_postings as p')
    .innerJoin('ledger_entries as e', 'e.id', 'p.entry_id')
    .select(['e.sale_id', (sum) => sum.fn.sum<number>('p.amount_cents').as('cents')])
    .where('p.account', '=', 'seller_payable')
    .groupBy('e.sale_id')
    .execute();
  return new Map(rows.map(({ sale_id, cents }) => [sale_id ?? '', -Number(cents)]));
}

const accountsOf = async (db: Database): Promise<string[]> =>
  (await db.q().selectFrom('sandbox_accounts').select('ref').execute()).map(({ ref }) => ref);
