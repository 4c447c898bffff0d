import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { cancelCheckout } from '#features/purchases/commands/cancel-checkout.ts';
import { diagnosePayments } from '#features/purchases/commands/diagnose-payments.ts';
import { openCheckout } from '#features/purchases/commands/open-checkout.ts';
import { actOnSandbox } from '#gateways/payments/sandbox/page.ts';
import { type Cell, type Cells, operation } from '../../operation.ts';
import { badId, badIds } from '../../sale-rows.ts';
import {
  expectUnmoved,
  historyOf,
  lastingSale,
  newSale,
  paymentsOn,
  putBystander,
  standing,
  unhurried,
} from '../../sales.ts';

/** A sale of its own for each cell, since its buyer may change it; all that nobody may change is made once. */
async function saleOf(cell: Cell, story: string) {
  const { stage, actor } = cell;
  const sale = actor === 'buyerA' ? await newSale(stage, story) : await lastingSale(stage, story);
  await putBystander(stage);
  const stood = await standing(stage, sale);
  return { ...sale, id: badId(cell, sale.saleId) ?? sale.saleId, stood };
}

const storyOf = (row: string) => (/\bid\b/.test(row) ? 'open' : (row.split(', ')[0] ?? ''));

export const cells: Cells = {
  // The page of the provider is opened for the buyer who began the purchase, and for no one else (B-066, R8).
  'commands/open-checkout#openCheckout': operation({
    cells: `
                                    anonymous        buyerA         buyerB    sellerA   sellerB   suspended  admin
      begun                         Unauthenticated  allowed        NotFound  NotFound  NotFound  NotFound   NotFound
      begun, as the call names it   Unauthenticated  allowed        NotFound  NotFound  NotFound  NotFound   NotFound
      begun, another property       Unauthenticated  NotFound       NotFound  NotFound  NotFound  NotFound   NotFound
      begun, another amount         Unauthenticated  price_changed  NotFound  NotFound  NotFound  NotFound   NotFound
      begun, seller suspended       Unauthenticated  suspended      NotFound  NotFound  NotFound  NotFound   NotFound
      open                          Unauthenticated  allowed        NotFound  NotFound  NotFound  NotFound   NotFound
      submitted                     Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      given up                      Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      in escrow                     Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      released                      Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      cancelled                     Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      ${badIds()}
    `,
    async prepare(cell) {
      const { stage, row } = cell;
      const sale = await saleOf(cell, storyOf(row));
      const { total_cents } = await stage.db
        .q()
        .selectFrom('property_sales')
        .select('total_cents')
        .where('id', '=', sale.saleId)
        .executeTakeFirstOrThrow();
      if (row.endsWith('seller suspended')) await setSuspended(cell, true);
      return { ...sale, total: total_cents };
    },
    act(ctx, { id, propertyId, total }, { stage, row }) {
      const [, and] = row.split(', ');
      const named = and === 'as the call names it';
      const input = {
        saleId: id,
        propertyId: named ? propertyId : and === 'another property' ? randomUUID() : null,
        expectedCents: named ? total : and === 'another amount' ? total + 1 : null,
      };
      return openCheckout(unhurried(ctx), input, paymentsOn(stage));
    },
    // A purchase that cannot go on is ended at once: the property is not held for nothing.
    changes: (word) => word === 'allowed' || word === 'suspended',
    async holds(result, sale, cell) {
      const { stage, row, word } = cell;
      if (row.endsWith('seller suspended')) await setSuspended(cell, false);
      await expectUnmoved(stage);
      expect(await standing(stage, sale)).toBe(
        word === 'suspended' ? 'failed/cancelled/ Active' : sale.stood,
      );
      if (!result?.ok) return;
      const { checkout_url, provider_session_id } = await stage.db
        .q()
        .selectFrom('property_sales')
        .select(['checkout_url', 'provider_session_id'])
        .where('id', '=', sale.saleId)
        .executeTakeFirstOrThrow();
      expect(result.url).toBe(checkout_url);
      expect(result.url.endsWith(`/sandbox/checkout/${provider_session_id}`)).toBe(true);
      if (row === 'open') expect(provider_session_id).toBe(sale.ref);
    },
  }),

  'commands/cancel-checkout#cancelCheckout': operation({
    cells: `
                         anonymous        buyerA   buyerB    sellerA   sellerB   suspended  admin
      begun              Unauthenticated  allowed  NotFound  NotFound  NotFound  NotFound   NotFound
      open               Unauthenticated  allowed  NotFound  NotFound  NotFound  NotFound   NotFound
      open, paid there   Unauthenticated  paid     NotFound  NotFound  NotFound  NotFound   NotFound
      given up           Unauthenticated  again    NotFound  NotFound  NotFound  NotFound   NotFound
      submitted          Unauthenticated  not_now  NotFound  NotFound  NotFound  NotFound   NotFound
      in escrow          Unauthenticated  not_now  NotFound  NotFound  NotFound  NotFound   NotFound
      released           Unauthenticated  not_now  NotFound  NotFound  NotFound  NotFound   NotFound
      cancelled          Unauthenticated  not_now  NotFound  NotFound  NotFound  NotFound   NotFound
      ${badIds()}
    `,
    async prepare(cell) {
      const sale = await saleOf(cell, storyOf(cell.row));
      if (cell.row.endsWith('paid there') && cell.actor === 'buyerA')
        expect(await actOnSandbox(cell.stage.db, sale.ref ?? '', 'pay', new Date())).toMatchObject({
          ok: true,
        });
      return sale;
    },
    act: (ctx, { id }, { stage }) => cancelCheckout(unhurried(ctx), id, paymentsOn(stage)),
    says: (result, _, { row }) => {
      if (!result.ok) return row.endsWith('paid there') ? 'paid' : result.reason;
      return row === 'given up' ? 'again' : 'allowed';
    },
    changes: (word) => word === 'allowed' || word === 'paid',
    async holds(_, sale, { stage, word }) {
      await expectUnmoved(stage);
      const after = { allowed: 'failed/cancelled/ Active', paid: 'completed/in_escrow/ escrow' }[word];
      expect(await standing(stage, sale)).toBe(after ?? sale.stood);
      if (word !== 'allowed') return;
      expect((await historyOf(stage, sale)).at(-1)).toMatchObject({
        event: 'cancel_checkout',
        role: 'buyer',
        who: stage.cast.buyerA.id,
      });
    },
  }),

  // Tells whether this person could buy this house, of houses that this person may see (B-080).
  'commands/diagnose-payments#diagnosePayments': operation({
    cells: `
                                anonymous        buyerA     buyerB     sellerA  sellerB  suspended  admin
      A’s Active                Unauthenticated  yes        yes        no       no       no         no
      A’s pending               Unauthenticated  not found  not found  no       not found  not found  no
      A’s Sold                  Unauthenticated  no         no         no       no       no         no
      A’s deleted               Unauthenticated  not found  not found  not found  not found  not found  not found
      suspended seller’s Active  Unauthenticated  not found  not found  not found  not found  no       no
      unknown id                Unauthenticated  not found  not found  not found  not found  not found  not found
      no id at all              Unauthenticated  not found  not found  not found  not found  not found  not found
    `,
    async prepare({ stage, row }) {
      return badId({ row }, '') ?? stage.listing(row);
    },
    act: (ctx, propertyId, { stage }) =>
      diagnosePayments(unhurried(ctx), { rail: 'card', propertyId }, paymentsOn(stage)),
    says({ checks }) {
      const { ok, detail } = checks.find(({ name }) => name === 'Property purchasable') ?? { ok: null };
      return detail === 'Property not found' ? 'not found' : ok ? 'yes' : 'no';
    },
    changes: () => false,
    holds(told, _, { stage, word }) {
      if (!told) return;
      const names = told.checks.map(({ name }) => name);
      // The price of what this person cannot see is not told either.
      expect(names.includes('Amount inside the limits')).toBe(word !== 'not found');
      const text = JSON.stringify(told);
      for (const { id, email } of Object.values(stage.cast).filter((one) => one.kind === 'user')) {
        expect(text).not.toContain(id);
        expect(text).not.toContain(email);
      }
      expect(text).not.toMatch(/whsec_|sk_|acct_/);
    },
  }),
};

const setSuspended = ({ stage }: Cell, suspended: boolean) =>
  stage.db
    .q()
    .updateTable('agents')
    .set({ status: suspended ? 'suspended' : 'active' })
    .where('id', '=', stage.cast.sellerA.agentId)
    .execute();
