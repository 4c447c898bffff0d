import { checkUrlOf } from '#features/verification/display.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import type { ReceiptFacts } from './model.ts';
import { isTestMode, NO_RECEIPT_YET, receiptNumber } from './rules.ts';
import { feeLines, partiesOf, refundsOf } from './sale-details.ts';
import { amountsOf, type SaleRow, stateOf } from './sale-row.ts';

/**
 * What the receipt of a sale says, on its page and in its file.
 * @throws NotFound for a sale that was never paid
 */
export async function loadReceipt(ctx: Ctx, sale: SaleRow): Promise<ReceiptFacts> {
  const { sale_date, receipt_number } = sale;
  // Both are set when the payment is confirmed.
  const paid = sale_date && receipt_number !== null ? { sale_date, receipt_number } : null;
  if (!paid) throw new NotFound(NO_RECEIPT_YET);
  const [parties, lines, refunds] = await Promise.all([
    partiesOf(ctx, sale),
    feeLines(ctx, sale.id),
    refundsOf(ctx, sale.id),
  ]);
  const { buyerFeesCents, basePriceCents } = amountsOf(sale);
  return {
    saleId: sale.id,
    number: receiptNumber(paid.receipt_number),
    paidAt: paid.sale_date.toISOString(),
    closedAt: sale.escrow_status === 'completed' ? (sale.released_at?.toISOString() ?? null) : null,
    property: parties.property,
    buyer: parties.buyer,
    seller: parties.seller,
    basePriceCents,
    lines,
    totalCents: basePriceCents + buyerFeesCents,
    refunds,
    state: stateOf(sale),
    method: sale.payment_method,
    sandbox: sale.provider.startsWith('sandbox'),
    testMode: isTestMode(ctx.config, sale),
    paymentRef: sale.provider_payment_id ?? sale.provider_session_id,
    network: sale.network,
    txHash: sale.tx_hash,
    providerReceiptUrl: sale.provider_receipt_url,
    checkUrl: checkUrlOf(ctx, receiptNumber(paid.receipt_number)),
  };
}
