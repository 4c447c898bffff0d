import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { cancelCheckout } from '#features/checkout/commands/cancel-checkout.ts';
import { diagnosePayments } from '#features/checkout/commands/diagnose-payments.ts';
import { openCheckout } from '#features/checkout/commands/open-checkout.ts';
import { performSandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import {
  addUnrelatedSale,
  expectUnrelatedSaleUnchanged,
  historyOf,
  newSale,
  paymentsFor,
  saleState,
  sharedSale,
  withoutRateLimits,
} from '../../support/sales.ts';
import { badId, badIdRows } from '../../support/table-rows.ts';

/** A new sale for buyer A, who may change it; a shared one for all others, who may not. */
async function saleOf(cell: Cell, state: string) {
  const { scenario, actor } = cell;
  const sale = actor === 'buyerA' ? await newSale(scenario, state) : await sharedSale(scenario, state);
  await addUnrelatedSale(scenario);
  const stateBefore = await saleState(scenario, sale);
  return { ...sale, id: badId(cell, sale.saleId) ?? sale.saleId, stateBefore };
}

const stateOf = (row: string) => (/\bid\b/.test(row) ? 'open' : (row.split(', ')[0] ?? ''));

export const cells: Cells = {
  // Only the buyer who began the purchase can open its checkout (R8).
  'commands/open-checkout#openCheckout': operation({
    unaudited: 'the address of a checkout; the purchase was audited when it began',
    cells: `
                                    anonymous        buyerA         buyerB    sellerA   sellerB   suspended  admin
      begun                         Unauthenticated  allowed        NotFound  NotFound  NotFound  NotFound   NotFound
      begun, as the call names it   Unauthenticated  allowed        NotFound  NotFound  NotFound  NotFound   NotFound
      begun, another property       Unauthenticated  NotFound       NotFound  NotFound  NotFound  NotFound   NotFound
      begun, another amount         Unauthenticated  price_changed  NotFound  NotFound  NotFound  NotFound   NotFound
      begun, seller suspended       Unauthenticated  suspended      NotFound  NotFound  NotFound  NotFound   NotFound
      open                          Unauthenticated  allowed        NotFound  NotFound  NotFound  NotFound   NotFound
      submitted                     Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      given up                      Unauthenticated  ended          NotFound  NotFound  NotFound  NotFound   NotFound
      in escrow                     Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      released                      Unauthenticated  unavailable    NotFound  NotFound  NotFound  NotFound   NotFound
      cancelled                     Unauthenticated  ended          NotFound  NotFound  NotFound  NotFound   NotFound
      ${badIdRows()}
    `,
    async prepare(cell) {
      const { scenario, row } = cell;
      const sale = await saleOf(cell, stateOf(row));
      const { total_cents } = await scenario.db
        .q()
        .selectFrom('property_sales')
        .select('total_cents')
        .where('id', '=', sale.saleId)
        .executeTakeFirstOrThrow();
      if (row.endsWith('seller suspended')) await setSuspended(cell, true);
      return { ...sale, total: total_cents };
    },
    act(ctx, { id, propertyId, total }, { scenario, row }) {
      const [, and] = row.split(', ');
      const named = and === 'as the call names it';
      const input = {
        saleId: id,
        propertyId: named ? propertyId : and === 'another property' ? randomUUID() : null,
        expectedCents: named ? total : and === 'another amount' ? total + 1 : null,
      };
      return openCheckout({ ...withoutRateLimits(ctx), payments: paymentsFor(scenario) }, input);
    },
    // A purchase that cannot continue ends at once, so that the property is not held for nothing.
    mayChange: (outcome) => outcome === 'allowed' || outcome === 'suspended',
    async verify(result, sale, cell) {
      const { scenario, row, outcome } = cell;
      if (row.endsWith('seller suspended')) await setSuspended(cell, false);
      await expectUnrelatedSaleUnchanged(scenario);
      expect(await saleState(scenario, sale)).toBe(
        outcome === 'suspended' ? 'failed/cancelled/ Active' : sale.stateBefore,
      );
      if (!result?.ok) return;
      const { checkout_url, provider_session_id } = await scenario.db
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
      ${badIdRows()}
    `,
    async prepare(cell) {
      const sale = await saleOf(cell, stateOf(cell.row));
      if (cell.row.endsWith('paid there') && cell.actor === 'buyerA')
        expect(await performSandboxAction(cell.scenario.db, sale.ref ?? '', 'pay', new Date())).toMatchObject(
          {
            ok: true,
          },
        );
      return sale;
    },
    act: (ctx, { id }, { scenario }) =>
      cancelCheckout({ ...withoutRateLimits(ctx), payments: paymentsFor(scenario) }, { saleId: id }),
    outcomeOf: (result, _, { row }) => {
      if (!result.ok) return row.endsWith('paid there') ? 'paid' : result.reason;
      return row === 'given up' ? 'again' : 'allowed';
    },
    mayChange: (outcome) => outcome === 'allowed' || outcome === 'paid',
    async verify(_, sale, { scenario, outcome }) {
      await expectUnrelatedSaleUnchanged(scenario);
      const after = { allowed: 'failed/cancelled/ Active', paid: 'completed/in_escrow/ escrow' }[outcome];
      expect(await saleState(scenario, sale)).toBe(after ?? sale.stateBefore);
      if (outcome !== 'allowed') return;
      expect((await historyOf(scenario, sale)).at(-1)).toMatchObject({
        event: 'cancel_checkout',
        role: 'buyer',
        who: scenario.cast.buyerA.id,
      });
    },
  }),

  // Reports whether this user could buy the property, provided that the user may see it.
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
    async prepare({ scenario, row }) {
      return badId({ row }, '') ?? scenario.listing(row);
    },
    act: (ctx, propertyId, { scenario }) =>
      diagnosePayments(
        { ...withoutRateLimits(ctx), payments: paymentsFor(scenario) },
        { method: 'card', propertyId },
      ),
    outcomeOf({ checks }) {
      const { ok, detail } = checks.find(({ name }) => name === 'Property purchasable') ?? { ok: null };
      return detail === 'Property not found' ? 'not found' : ok ? 'yes' : 'no';
    },
    mayChange: () => false,
    verify(told, _, { scenario, outcome }) {
      if (!told) return;
      const names = told.checks.map(({ name }) => name);
      // Nor is the price of a property revealed that this user may not see.
      expect(names.includes('Amount inside the limits')).toBe(outcome !== 'not found');
      const text = JSON.stringify(told);
      for (const { id, email } of Object.values(scenario.cast).filter((one) => one.kind === 'user')) {
        expect(text).not.toContain(id);
        expect(text).not.toContain(email);
      }
      expect(text).not.toMatch(/whsec_|sk_|acct_/);
    },
  }),
};

const setSuspended = ({ scenario }: Cell, suspended: boolean) =>
  scenario.db
    .q()
    .updateTable('agents')
    .set({ status: suspended ? 'suspended' : 'active' })
    .where('id', '=', scenario.cast.sellerA.agentId)
    .execute();
