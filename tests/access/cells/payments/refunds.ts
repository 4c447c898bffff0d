import { expect } from 'vitest';
import { confirmBankRefund, recordBankRefund } from '#features/payments/commands/pay-refund.ts';
import { returnBankRefund } from '#features/payments/commands/return-bank-refund.ts';
import { withdrawRefund } from '#features/payments/commands/withdraw-refund.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { type Cells, operation } from '../../support/operation.ts';
import {
  bankRefundSale,
  recordedRefundSale,
  type StuckRefundSale,
  stuckRefundSale,
} from '../../support/problem-sales.ts';
import { addUnrelatedSale, expectUnrelatedSaleUnchanged, paymentsFor } from '../../support/sales.ts';
import { badId, HEAD } from '../../support/table-rows.ts';

const sales = { refused: stuckRefundSale, recorded: recordedRefundSale, paid: bankRefundSale };

/** A decision about a refund that has not left, or has come back: nobody but administrators learns even whether there is one. */
const decision = (
  rows: Record<string, string>,
  decide: (ctx: CtxWith<'payments'>, refundId: string) => Promise<unknown>,
  after: { status: string; origin: string; bank_reference: string | null },
) =>
  operation({
    cells: `
      ${HEAD}  unproven
      ${Object.entries({ ...rows, 'unknown id': 'NotFound', 'no id at all': 'NotFound' })
        .map(
          ([row, outcome]) => `${row}  Unauthenticated${'  Forbidden'.repeat(5)}  ${outcome}  ProofRequired`,
        )
        .join('\n')}
    `,
    async prepare({ scenario, row }) {
      await addUnrelatedSale(scenario);
      return (sales[row as keyof typeof sales] ?? stuckRefundSale)(scenario);
    },
    act: (ctx, sale: StuckRefundSale, cell) =>
      decide({ ...ctx, payments: paymentsFor(cell.scenario) }, badId(cell, sale.refundId) ?? sale.refundId),
    // The provider has been asked before, and its answer is noted with the sale.
    mayChange: (outcome) => outcome === 'allowed' || outcome === 'changed',
    async verify(_, { refundId }, { scenario, outcome, row }) {
      const refund = await scenario.db
        .q()
        .selectFrom('refunds')
        .select(['status', 'origin', 'bank_reference'])
        .where('id', '=', refundId)
        .executeTakeFirst();
      if (outcome === 'allowed') expect(refund).toEqual(after);
      else if (row === 'paid') expect(refund).toMatchObject({ status: 'succeeded', origin: 'bank' });
      else expect(refund).toMatchObject({ status: 'pending', origin: 'platform' });
      await expectUnrelatedSaleUnchanged(scenario);
    },
  });

const seen = { reference: 'TR-2048', amountCents: 5_00 };

export const cells: Cells = {
  'commands/withdraw-refund#withdrawRefund': decision(
    { refused: 'allowed' },
    (ctx, refundId) => withdrawRefund(ctx, { refundId, reason: 'A reason.' }),
    { status: 'failed', origin: 'platform', bank_reference: null },
  ),
  'commands/pay-refund#recordBankRefund': decision(
    { refused: 'allowed' },
    (ctx, refundId) => recordBankRefund(ctx, { refundId, ...seen }),
    { status: 'pending', origin: 'platform', bank_reference: 'TR-2048' },
  ),
  'commands/pay-refund#confirmBankRefund': decision(
    { recorded: 'allowed', refused: 'changed' },
    (ctx, refundId) => confirmBankRefund(ctx, { refundId, ...seen }),
    { status: 'succeeded', origin: 'bank', bank_reference: 'TR-2048' },
  ),
  'commands/return-bank-refund#returnBankRefund': decision(
    { paid: 'allowed', recorded: 'changed' },
    (ctx, refundId) => returnBankRefund(ctx, { refundId, reason: 'Account closed.' }),
    { status: 'failed', origin: 'bank', bank_reference: 'TR-2048' },
  ),
};
