import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recogniseRefund } from '#features/payments/commands/recognise-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import { applyCheckout } from '#features/payments/commands/sync-payment.ts';
import type { PartyEvent } from '#features/sales/model.ts';
import type { CheckoutState } from '#gateways/payments/port.ts';
import { performSandboxAction } from '#gateways/payments/sandbox/checkout-page.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import {
  act,
  addUnrelatedSale,
  expectUnrelatedSaleUnchanged,
  newSale,
  paymentsFor,
  type SaleFixture,
  saleState,
  systemContext,
  withoutRateLimits,
} from '../../support/sales.ts';
import type { Scenario } from '../../support/scenario.ts';
import { badId, HEAD } from '../../support/table-rows.ts';

/** What the provider says about a sale's paid checkout, with something changed, applied to the sale. */
async function provideTruth(
  scenario: Scenario,
  { saleId, ref }: SaleFixture,
  change: Partial<CheckoutState>,
): Promise<void> {
  const truth = await paymentsFor(scenario)
    .forMethod('card')
    .getCheckout(ref ?? '');
  await applyCheckout(systemContext(scenario), { saleId, checkout: { ...truth, ...change } });
}

async function saleInState({ scenario, row }: Cell): Promise<SaleFixture> {
  await addUnrelatedSale(scenario);
  const [state = ''] = row.split(':');
  if (state === 'a payment that differs') {
    const sale = await newSale(scenario, 'open');
    await performSandboxAction(scenario.db, sale.ref ?? '', 'pay', new Date());
    await provideTruth(scenario, sale, { saleId: null });
    return sale;
  }
  if (state === 'refunded at the provider') {
    const sale = await newSale(scenario, 'in escrow');
    const refund = { ref: `re_${randomUUID()}`, status: 'succeeded' as const, amountCents: 5_00, key: null };
    await provideTruth(scenario, sale, { refunds: [refund] });
    return sale;
  }
  return newSale(scenario, ['unknown id', 'no id at all'].includes(state) ? 'in escrow' : state);
}

/** A decision of administrators: nobody else learns even whether the sale exists. */
const decision = (
  rows: [row: string, outcome: string][],
  decide: (ctx: Ctx, saleId: string) => Promise<unknown>,
  after: string,
) =>
  operation({
    cells: `
      ${HEAD}  unproven
      ${[...rows, ['unknown id', 'NotFound'], ['no id at all', 'NotFound']]
        .map(
          ([row, outcome]) => `${row}  Unauthenticated${'  Forbidden'.repeat(5)}  ${outcome}  ProofRequired`,
        )
        .join('\n')}
    `,
    prepare: saleInState,
    act: (ctx, sale, cell) => decide(ctx, badId(cell, sale.saleId) ?? sale.saleId),
    async verify(_, sale, { scenario, outcome }) {
      if (outcome === 'allowed') expect(await saleState(scenario, sale)).toBe(after);
      await expectUnrelatedSaleUnchanged(scenario);
    },
  });

const note = 'A reason.';

export const cells: Cells = {
  // What the table of sales says of these events, in every state, is asserted with `actOnSale`.
  'commands/release-escrow#releaseEscrow': operation({
    cells: `
      ${HEAD}  unproven
      in escrow: release        Unauthenticated  not_yours  NotFound  not_yours  NotFound  NotFound  allowed  ProofRequired
      in escrow: confirm_closing  Unauthenticated  allowed  NotFound  not_yours  NotFound  NotFound  not_yours  not_yours
      frozen: release           Unauthenticated  not_yours  NotFound  not_yours  NotFound  NotFound  frozen  frozen
      unknown id: release       Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
      no id at all: release     Unauthenticated  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound  NotFound
    `,
    prepare: saleInState,
    act: (ctx, sale, { scenario, row }) => {
      const [state = '', event = ''] = row.split(': ');
      return act(
        { ...withoutRateLimits(ctx), payments: paymentsFor(scenario) },
        { saleId: badId({ row: state }, sale.saleId) ?? sale.saleId, event: event as PartyEvent, note },
      );
    },
    async verify(_, sale, { scenario, outcome }) {
      if (outcome === 'allowed')
        expect(await saleState(scenario, sale)).toBe('completed/completed/pending Sold');
      await expectUnrelatedSaleUnchanged(scenario);
    },
  }),
  'commands/decide-mismatch#acceptMismatch': decision(
    [
      ['a payment that differs', 'allowed'],
      ['in escrow', 'no_mismatch'],
      ['open', 'no_mismatch'],
    ],
    (ctx, saleId) => acceptMismatch(ctx, { saleId, note }),
    'completed/in_escrow/ escrow',
  ),
  'commands/decide-mismatch#returnMismatch': decision(
    [
      ['a payment that differs', 'allowed'],
      ['in escrow', 'no_mismatch'],
      ['open', 'no_mismatch'],
    ],
    (ctx, saleId) => returnMismatch(ctx, { saleId, note }),
    'completed/cancelled/ Active',
  ),
  'commands/recognise-refund#recogniseRefund': decision(
    [
      ['refunded at the provider', 'allowed'],
      ['in escrow', 'not_frozen'],
      ['frozen', 'no_unexpected_refund'],
    ],
    (ctx, saleId) => recogniseRefund(ctx, { saleId, note }),
    'completed/in_escrow/ escrow',
  ),
  'commands/refund-sale#refundSale': decision(
    [
      ['in escrow', 'allowed'],
      ['frozen', 'frozen'],
      ['cancelled', 'too_much'],
      ['open', 'too_much'],
    ],
    (ctx, saleId) =>
      refundSale(ctx, { saleId, baseCents: 1_00, feesCents: 0, reason: note, idempotencyKey: 'x' }),
    'completed/in_escrow/ escrow',
  ),
};
