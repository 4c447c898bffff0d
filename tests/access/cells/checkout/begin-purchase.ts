import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { beginPurchase } from '#features/checkout/commands/begin-purchase.ts';
import { HOLD_MS } from '#features/sales/model.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, defaultOutcome, operation } from '../../support/operation.ts';
import {
  addUnrelatedSale,
  expectUnrelatedSaleUnchanged,
  historyOf,
  newSale,
  paymentsFor,
  sharedSale,
  withoutRateLimits,
} from '../../support/sales.ts';
import { suspendedIfSaid } from '../../support/suspended-buyer.ts';
import { badId, notFoundRows } from '../../support/table-rows.ts';

/** The same user with an unconfirmed e-mail address. */
const asUnconfirmed = (ctx: Ctx): Ctx =>
  ctx.actor.kind === 'user' ? { ...ctx, actor: { ...ctx.actor, emailVerified: false } } : ctx;

/** The seller withdraws the property between the buyer's check and the hold. */
const withdrawnMeanwhile = (ctx: Ctx, id: string): Ctx => ({
  ...ctx,
  db: {
    ...ctx.db,
    async tx(work) {
      await ctx.db.q().updateTable('properties').set({ status: 'withdrawn' }).where('id', '=', id).execute();
      return ctx.db.tx(work);
    },
  },
});

interface PropertyFixture {
  id: string;
  /** the existing purchase the buyer is sent back to, if any */
  existingSaleId: string | null;
  key: string;
}

/** The property a row names, with its current purchase. */
async function propertyForRow({ scenario, row, actor }: Cell): Promise<PropertyFixture> {
  const [kind = '', condition = ''] = row.split(', ');
  const key = randomUUID();
  const bad = badId({ row }, await scenario.listing('A’s Active'));
  if (bad !== null) return { id: bad, existingSaleId: null, key };
  const running = /^buyer A’s (.+)$/.exec(condition)?.[1];
  if (running) {
    const isFree = running === 'given up' || running === 'cancelled';
    const { propertyId, saleId } = await (isFree ? newSale : sharedSale)(scenario, running);
    return { id: propertyId, existingSaleId: saleId, key };
  }
  const priceFacts = condition === 'too dear for cards' ? { price_cents: 100_000_000 } : {};
  const id = await scenario.listing(kind, priceFacts);
  if (condition === 'with buyer A’s key') {
    const otherPropertyId = await scenario.listing('A’s Active');
    const first = { propertyId: otherPropertyId, method: 'card' as const, expectedCents: null, key };
    const begun = await beginPurchase(
      { ...withoutRateLimits(scenario.ctx('buyerA')), payments: paymentsFor(scenario) },
      first,
    );
    return { id, existingSaleId: begun.ok ? begun.saleId : null, key };
  }
  if (condition === 'after three unpaid' && (actor === 'buyerA' || actor === 'buyerB'))
    for (const state of ['open', 'given up', 'begun']) await newSale(scenario, state, { buyer: actor });
  return { id, existingSaleId: null, key };
}

export const cells: Cells = {
  // Confirmed buyers may buy what is for sale; the second one finds it held (R18).
  'commands/begin-purchase#beginPurchase': operation({
    cells: `
                                        anonymous        buyerA             buyerB             sellerA      sellerB      suspended    admin
      A’s Active                        Unauthenticated  allowed            allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, unconfirmed           Unauthenticated  unverified         unverified         own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, as suspended          Unauthenticated  account_suspended  account_suspended  own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, another price         Unauthenticated  price_changed      price_changed      own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, too dear for cards    Unauthenticated  rail_limit         rail_limit         own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, after three unpaid    Unauthenticated  too_many_attempts  too_many_attempts  own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, with buyer A’s key    Unauthenticated  allowed            allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, taken off meanwhile   Unauthenticated  unavailable        unavailable        own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, buyer A’s begun       Unauthenticated  again              in_progress        own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, buyer A’s open        Unauthenticated  again              in_progress        own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, buyer A’s submitted   Unauthenticated  again              in_progress        own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, buyer A’s given up    Unauthenticated  allowed            allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, buyer A’s cancelled   Unauthenticated  allowed            allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s escrow, buyer A’s in escrow   Unauthenticated  again              in_escrow          own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Sold, buyer A’s released      Unauthenticated  sold               sold               own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s pending                       Unauthenticated  NotFound           NotFound           own          NotFound     NotFound     not_a_buyer
      A’s changes_requested             Unauthenticated  NotFound           NotFound           own          NotFound     NotFound     not_a_buyer
      A’s rejected                      Unauthenticated  NotFound           NotFound           own          NotFound     NotFound     not_a_buyer
      A’s withdrawn                     Unauthenticated  NotFound           NotFound           own          NotFound     NotFound     not_a_buyer
      A’s escrow                        Unauthenticated  in_escrow          in_escrow          own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Sold                          Unauthenticated  sold               sold               own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s deleted                       Unauthenticated  NotFound           NotFound           NotFound     NotFound     NotFound     NotFound
      suspended seller’s Active         Unauthenticated  NotFound           NotFound           NotFound     NotFound     own          not_a_buyer
      suspended seller’s Sold           Unauthenticated  sold               sold               not_a_buyer  not_a_buyer  own          not_a_buyer
      id in upper case                  Unauthenticated  allowed            allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
      ${notFoundRows('unknown id', 'no id at all')}
    `,
    async prepare(cell) {
      await addUnrelatedSale(cell.scenario);
      const property = await propertyForRow(cell);
      await cell.scenario.db.q().deleteFrom('rate_limits').execute();
      return property;
    },
    act(actual, { id, key }, { scenario, row }) {
      const ctx = suspendedIfSaid(actual, { row });
      const relaxed = row.endsWith('unpaid') ? ctx : withoutRateLimits(ctx);
      const context = row.endsWith('meanwhile') ? withdrawnMeanwhile(relaxed, id) : relaxed;
      return beginPurchase(
        {
          ...(row.endsWith('unconfirmed') ? asUnconfirmed(context) : context),
          payments: paymentsFor(scenario),
        },
        { propertyId: id, method: 'card', expectedCents: row.endsWith('another price') ? 100 : null, key },
      );
    },
    outcomeOf: (result, { existingSaleId }) =>
      result.ok && result.saleId === existingSaleId ? 'again' : defaultOutcome(result),
    // With 'unavailable' the only change is the withdrawal itself.
    mayChange: (outcome) => outcome === 'allowed' || outcome === 'unavailable',
    async verify(result, { id }, { scenario, actor, outcome }) {
      if (outcome === 'unavailable') {
        const sales = scenario.db.q().selectFrom('property_sales').select('id').where('property_id', '=', id);
        expect(await sales.execute()).toEqual([]);
      }
      if (outcome !== 'allowed' || !result?.ok) return;
      await expectUnrelatedSaleUnchanged(scenario);
      const sale = await scenario.db
        .q()
        .selectFrom('property_sales')
        .selectAll()
        .where('id', '=', result.saleId)
        .executeTakeFirstOrThrow();
      const buyer = scenario.person(actor);
      expect(sale).toMatchObject({
        property_id: id.toLowerCase(),
        buyer_id: buyer.id,
        agent_id: scenario.cast.sellerA.agentId,
        sale_price_cents: 742_000_00,
        total_cents: result.totalCents,
        provider: 'sandbox-card',
        provider_session_id: null,
        stripe_payment_status: 'pending',
        escrow_status: 'pending',
        payout_status: null,
        sale_date: null,
      });
      expect((sale.locked_until?.getTime() ?? 0) - sale.created_at.getTime()).toBe(HOLD_MS);
      expect(await historyOf(scenario, { saleId: sale.id })).toEqual([
        { event: 'begin', role: 'buyer', who: buyer.id, note: null },
      ]);
    },
  }),
};
