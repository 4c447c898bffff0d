import { ensureProviderAccount } from '#features/ledger/commands/ensure-provider-account.ts';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { loadImage } from '#features/payments/load-image.ts';
import { lockSale } from '#features/sales/sale-row.ts';
import { mulberry32 } from '#illustrator/random.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { Report, RunOptions } from '../report.ts';
import { outcomeOf, PART } from './memory-sale.ts';
import { randomOrder } from './random-order.ts';
import { type Act, WALK_AMOUNTS, type Walk } from './steps.ts';
import { type Keeper, memoryWalker, Walker } from './walker.ts';

interface ReplayOptions extends RunOptions {
  walks: readonly Walk[];
  /** how often a message may arrive */
  deliveries: number;
}

/** Replays random walks with random orders of their messages against the database, and compares each with the one in memory (R3). */
export async function replayRandomOrders(
  db: Database,
  { size, seed, walks, deliveries }: ReplayOptions,
): Promise<Report> {
  const scenario = await createSaleScenario(db);
  const random = mulberry32(seed);
  const findings: string[] = [];
  let trials = 0;
  for (; trials < size && findings.length < 5; trials += 1) {
    const walk = walks[Math.floor(random() * walks.length)];
    if (!walk) break;
    const answers = random() < 0.5 ? 'current' : 'old';
    const messages = walk.steps.filter(({ at }) => at === 'provider').length;
    const order = randomOrder(messages, deliveries, random);
    const saleId = await beginWalk(scenario);
    const inDatabase = await run(
      walk,
      order,
      new Walker(walk, databaseKeeper(scenario, saleId), answers, saleId),
    );
    const inMemory = await run(walk, order, memoryWalker(walk, answers, saleId));
    if (inDatabase !== inMemory)
      findings.push(
        `${walk.name} (${answers} answers), messages ${order.join(' ')}: ${inDatabase}\ninstead of ${inMemory}`,
      );
  }
  return { trials, findings };
}

async function run(walk: Walk, order: readonly number[], walker: Walker<Keeper>): Promise<string> {
  for (const message of order) await walker.deliver(message);
  const image = await walker.finish();
  // References of the provider are unique for each sale in the database.
  return `${walk.name}: ${outcomeOf(image).replaceAll('_at_sale', '')}`;
}

/** A sale with an open checkout, as the walks begin. */
async function beginWalk({ db, buyer, seller, createListing, clock, system }: SaleScenario): Promise<string> {
  clock.advance(MINUTE);
  const account = { provider: 'sandbox-card', livemode: false, account: 'walks' };
  const { basePriceCents, buyerFeesCents, agentCommissionCents, sellerFeesCents } = WALK_AMOUNTS;
  const { id } = await db
    .q()
    .insertInto('property_sales')
    .values({
      property_id: await createListing(),
      buyer_id: buyer.id,
      agent_id: seller.agentId ?? '',
      sale_price_cents: basePriceCents,
      buyer_fees_cents: buyerFeesCents,
      seller_fees_cents: sellerFeesCents,
      admin_percentage: 20,
      agent_commission_cents: agentCommissionCents,
      payment_method: 'card',
      provider: account.provider,
      provider_account_id: await ensureProviderAccount(system, account),
      idempotency_key: `walk ${clock.now().toISOString()}`,
      created_at: clock.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .q()
    .updateTable('property_sales')
    .set({ provider_session_id: `cs_${id}` })
    .where('id', '=', id)
    .execute();
  return id;
}

function databaseKeeper(scenario: SaleScenario, saleId: string): Keeper {
  const admin = scenario.contextFor(scenario.admin);
  const note = 'A reason.';
  let refunds = 0;
  const acts: Record<Act, () => Promise<unknown>> = {
    cancel: () => scenario.act(scenario.admin, saleId, 'cancel_sale'),
    close: () => scenario.act(scenario.buyer, saleId, 'confirm_closing'),
    'refund a part': () => {
      refunds += 1;
      return refundSale(admin, { saleId, ...PART, reason: note, idempotencyKey: `${refunds}` });
    },
    accept: async () => {
      const result = await acceptMismatch(admin, { saleId, note });
      if (!result.ok || !result.awaitingApproval) return;
      const second = scenario.contextFor(await createUser(scenario.db, 'admin'));
      await acceptMismatch(second, { saleId, note });
    },
    return: () => returnMismatch(admin, { saleId, note }),
    recognize: () => recognizeRefund(admin, { saleId, note }),
  };
  return {
    image: () =>
      scenario.db.tx(async () => {
        const sale = await lockSale(scenario.system, saleId);
        if (!sale) throw new Error('The sale is gone');
        return loadImage(scenario.system, sale, true);
      }),
    async sync(answer) {
      scenario.clock.advance(MINUTE);
      const unique = <T extends { ref: string }>(list: readonly T[]) =>
        list.map((one) => ({ ...one, ref: `${one.ref}_at_${saleId}` }));
      await scenario.providerSays(saleId, {
        ...answer,
        ref: `cs_${saleId}`,
        tranches: unique(answer.tranches),
        refunds: unique(answer.refunds),
        disputes: unique(answer.disputes),
      });
    },
    async act(act) {
      scenario.clock.advance(MINUTE);
      await acts[act]();
    },
  };
}
