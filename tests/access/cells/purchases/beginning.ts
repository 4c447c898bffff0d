import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { beginPurchase } from '#features/purchases/commands/begin-purchase.ts';
import { HOLD_MS } from '#features/purchases/model.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation, wordOf } from '../../operation.ts';
import { badId, nobodys } from '../../sale-rows.ts';
import {
  expectUnmoved,
  historyOf,
  lastingSale,
  newSale,
  paymentsOn,
  putBystander,
  unhurried,
} from '../../sales.ts';

/** The same person before the e-mail address was confirmed. */
const unconfirmed = (ctx: Ctx): Ctx =>
  ctx.actor.kind === 'user' ? { ...ctx, actor: { ...ctx.actor, emailVerified: false } } : ctx;

/** Between the look at a house and the hold of it, its seller takes it off the market. */
const overtaken = (ctx: Ctx, id: string): Ctx => ({
  ...ctx,
  db: {
    ...ctx.db,
    async tx(work) {
      await ctx.db.q().updateTable('properties').set({ status: 'withdrawn' }).where('id', '=', id).execute();
      return ctx.db.tx(work);
    },
  },
});

interface House {
  id: string;
  /** the purchase that the buyer is led back to, where there is one */
  known: string | null;
  key: string;
}

/** A house as a row names it, with the purchase that runs there. */
async function houseFor({ stage, row, actor }: Cell): Promise<House> {
  const [kind = '', and = ''] = row.split(', ');
  const key = randomUUID();
  const bad = badId({ row }, await stage.listing('A’s Active'));
  if (bad !== null) return { id: bad, known: null, key };
  const running = /^buyer A’s (.+)$/.exec(and)?.[1];
  if (running) {
    const isFree = running === 'given up' || running === 'cancelled';
    const { propertyId, saleId } = await (isFree ? newSale : lastingSale)(stage, running);
    return { id: propertyId, known: saleId, key };
  }
  const dear = and === 'too dear for cards' ? { price_cents: 100_000_000 } : {};
  const id = await stage.listing(kind, dear);
  if (and === 'with buyer A’s key') {
    const elsewhere = await stage.listing('A’s Active');
    const first = { propertyId: elsewhere, method: 'card' as const, expectedCents: null, key };
    const begun = await beginPurchase(unhurried(stage.ctx('buyerA')), first, paymentsOn(stage));
    return { id, known: begun.ok ? begun.saleId : null, key };
  }
  if (and === 'after three unpaid' && (actor === 'buyerA' || actor === 'buyerB'))
    for (const story of ['open', 'given up', 'begun']) await newSale(stage, story, { buyer: actor });
  return { id, known: null, key };
}

export const cells: Cells = {
  // Confirmed buyers buy what is for sale and not their own; whoever comes second finds it held (B-073, B-083, R18).
  'commands/begin-purchase#beginPurchase': operation({
    cells: `
                                        anonymous        buyerA             buyerB             sellerA      sellerB      suspended    admin
      A’s Active                        Unauthenticated  allowed            allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, unconfirmed           Unauthenticated  unverified         unverified         own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, another price         Unauthenticated  price_changed      price_changed      own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, too dear for cards    Unauthenticated  rail_limit         rail_limit         own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, after three unpaid    Unauthenticated  too_many_attempts  too_many_attempts  own          not_a_buyer  not_a_buyer  not_a_buyer
      A’s Active, with buyer A’s key    Unauthenticated  again              allowed            own          not_a_buyer  not_a_buyer  not_a_buyer
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
      ${nobodys('unknown id', 'no id at all')}
    `,
    async prepare(cell) {
      await putBystander(cell.stage);
      const house = await houseFor(cell);
      await cell.stage.db.q().deleteFrom('rate_limits').execute();
      return house;
    },
    act(ctx, { id, key }, { stage, row }) {
      const patient = row.endsWith('unpaid') ? ctx : unhurried(ctx);
      const asked = row.endsWith('meanwhile') ? overtaken(patient, id) : patient;
      return beginPurchase(
        row.endsWith('unconfirmed') ? unconfirmed(asked) : asked,
        { propertyId: id, method: 'card', expectedCents: row.endsWith('another price') ? 100 : null, key },
        paymentsOn(stage),
      );
    },
    says: (result, { known }) => (result.ok && result.saleId === known ? 'again' : wordOf(result)),
    // What has changed where it is not for sale any more is what took it off the market.
    changes: (word) => word === 'allowed' || word === 'unavailable',
    async holds(result, { id }, { stage, actor, word }) {
      if (word === 'unavailable') {
        const sales = stage.db.q().selectFrom('property_sales').select('id').where('property_id', '=', id);
        expect(await sales.execute()).toEqual([]);
      }
      if (word !== 'allowed' || !result?.ok) return;
      await expectUnmoved(stage);
      const sale = await stage.db
        .q()
        .selectFrom('property_sales')
        .selectAll()
        .where('id', '=', result.saleId)
        .executeTakeFirstOrThrow();
      const buyer = stage.person(actor);
      expect(sale).toMatchObject({
        property_id: id.toLowerCase(),
        buyer_id: buyer.id,
        agent_id: stage.cast.sellerA.agentId,
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
      expect(await historyOf(stage, { saleId: sale.id })).toEqual([
        { event: 'begin', role: 'buyer', who: buyer.id, note: null },
      ]);
    },
  }),
};
