import { expect } from 'vitest';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import type { PartyEvent } from '#features/sales/model.ts';
import type { Ctx } from '#platform/context.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { differingSale, refundedAtProvider } from '../../support/problem-sales.ts';
import {
  act,
  addUnrelatedSale,
  expectUnrelatedSaleUnchanged,
  newSale,
  paymentsFor,
  type SaleFixture,
  saleState,
  withoutRateLimits,
} from '../../support/sales.ts';
import { badId, HEAD } from '../../support/table-rows.ts';

async function saleInState({ scenario, row }: Cell): Promise<SaleFixture> {
  await addUnrelatedSale(scenario);
  const [state = ''] = row.split(':');
  if (state === 'a payment that differs') return differingSale(scenario);
  if (state === 'refunded at the provider') return refundedAtProvider(scenario);
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
  'commands/recognize-refund#recognizeRefund': decision(
    [
      ['refunded at the provider', 'allowed'],
      ['in escrow', 'not_frozen'],
      ['frozen', 'no_unexpected_refund'],
    ],
    (ctx, saleId) => recognizeRefund(ctx, { saleId, note }),
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
