import { escrowLabel, paidByLabels, paymentLabel, receiptNumber } from '#features/sales/rules.ts';
import { decimalAmount } from '#platform/money.ts';
import type { FileColumn } from '#platform/table-file/columns.ts';
import type { FileRow } from './file-rows.ts';
import { listStatusLabels, saleModeLabels } from './rules.ts';

/**
 * The columns of the list, then what else is on record about a sale.
 * @param counts what the report that leads to the list counts of a sale stands beside its amounts, so that the file adds up to it
 */
export const fileColumns = (counts: boolean): readonly FileColumn<FileRow>[] => [
  ...amounts,
  ...(counts ? inPeriod : []),
  ...others,
];

const amounts: readonly FileColumn<FileRow>[] = [
  { header: 'Date (UTC)', time: ({ date }) => date },
  { header: 'Property', text: ({ address }) => address },
  { header: 'Seller', text: ({ seller }) => seller },
  { header: 'Sale Price (USD)', cents: ({ price }) => price },
  { header: 'Commission (USD)', cents: ({ commission }) => commission },
  { header: 'Fees (USD)', cents: ({ fees }) => fees },
];

const inPeriod: readonly FileColumn<FileRow>[] = [
  { header: 'Sale Price in This Period (USD)', cents: ({ counted }) => counted?.priceCents ?? null },
  { header: 'Commission in This Period (USD)', cents: ({ counted }) => counted?.commissionCents ?? null },
  { header: 'Fees in This Period (USD)', cents: ({ counted }) => counted?.feesCents ?? null },
];

const others: readonly FileColumn<FileRow>[] = [
  { header: 'Payment Method', text: ({ paid_by }) => paidByLabels[paid_by] },
  { header: 'Status', text: ({ status }) => listStatusLabels[status] },
  { header: 'Payment', text: ({ payment }) => paymentLabel[payment] },
  { header: 'Escrow', text: ({ escrow }) => escrowLabel[escrow] },
  { header: 'Payout', text: ({ payout }) => payout && listStatusLabels[payout] },
  { header: 'Frozen', text: ({ frozen }) => (frozen ? 'Yes' : 'No') },
  { header: 'Mode', text: ({ livemode }) => saleModeLabels[livemode ? 'live' : 'test'] },
  { header: 'Provider', text: ({ provider }) => provider },
  {
    header: 'Receipt',
    text: ({ receipt_number: number }) => (number === null ? null : receiptNumber(number)),
  },
  { header: 'Town', text: ({ town }) => town },
  { header: 'Seller Email', text: ({ seller_email }) => seller_email },
  { header: 'Buyer', text: ({ buyer }) => buyer },
  { header: 'Buyer Email', text: ({ buyer_email }) => buyer_email },
  { header: 'Buyer Fees (USD)', cents: ({ buyer_fees }) => buyer_fees },
  { header: 'Buyer Fee Lines', text: (row) => feeLines(row, 'buyer') },
  { header: 'Seller Fees (USD)', cents: ({ seller_fees }) => seller_fees },
  { header: 'Seller Fee Lines', text: (row) => feeLines(row, 'seller') },
  { header: 'Total Price (USD)', cents: ({ total }) => total },
  { header: 'Agreed Commission (USD)', cents: ({ agreed_commission }) => agreed_commission },
  { header: 'Platform’s Share (USD)', cents: ({ platform_share }) => platform_share },
  { header: 'Refunded (USD)', cents: ({ returned }) => returned },
  { header: 'Started (UTC)', time: ({ created_at }) => created_at },
  { header: 'Paid (UTC)', time: ({ sale_date }) => sale_date },
  { header: 'Released (UTC)', time: ({ released_at }) => released_at },
  { header: 'Payout Date (UTC)', time: ({ payout_date }) => payout_date },
  { header: 'Sale Id', text: ({ id }) => id },
  { header: 'Property Id', text: ({ property_id }) => property_id },
  { header: 'Seller Id', text: ({ agent_id }) => agent_id },
  { header: 'Buyer Id', text: ({ buyer_id }) => buyer_id },
  { header: 'Payment Id', text: ({ payment_ref }) => payment_ref },
];

/** 'Processing fee (2.5%): 14840.00; Title fee: 45.00' */
function feeLines({ fee_lines }: FileRow, of: 'buyer' | 'seller'): string {
  const lines = fee_lines.filter(({ side }) => side === of);
  return lines
    .map(
      ({ name, percent, cents }) =>
        `${name}${percent === null ? '' : ` (${percent}%)`}: ${decimalAmount(cents)}`,
    )
    .join('; ');
}
