import type { SaleLine } from '#features/sales/model.ts';
import { paymentMethodNames } from '#features/sales/rules.ts';
import { checkBlock, checkStatement } from '#features/verification/display.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { PdfBlock, PdfContent, PdfTable } from '#platform/pdf/content.ts';
import { formatTime } from '#ui/format-time.ts';
import { settlementNumber } from './rules.ts';
import type { Settlement } from './settlement.ts';

/** A settlement statement as a document; times are UTC. The same sale is the same document. */
export function settlementPdf(settlement: Settlement, brand: string): PdfContent {
  const { receipt, closedAt, returnedCents, releasedCents } = settlement;
  const number = settlementNumber(receipt.number);
  return {
    title: `Settlement statement ${number}`,
    issuer: brand,
    createdAt: closedAt,
    blocks: [
      { kind: 'heading', level: 1, text: 'Settlement statement', note: number },
      ...marks(settlement),
      {
        kind: 'facts',
        facts: [
          { label: 'Closed', lines: [formatTime(closedAt.toISOString(), 'exact', 'UTC')] },
          { label: 'Property', lines: [receipt.property.address, receipt.property.town] },
          { label: 'Buyer', lines: [receipt.buyer.name, receipt.buyer.email] },
          { label: 'Seller', lines: [receipt.seller.name, receipt.seller.email] },
          { label: 'Paid', lines: [formatTime(receipt.paidAt, 'exact', 'UTC')] },
          { label: 'Paid by', lines: [paymentMethodNames[receipt.method]] },
          { label: 'Receipt', lines: [receipt.number] },
        ],
      },
      { kind: 'heading', level: 2, text: 'What the buyer paid' },
      table([{ label: 'Sale price', cents: receipt.basePriceCents }, ...receipt.lines], {
        label: 'Total paid by the buyer',
        cents: receipt.totalCents,
      }),
      { kind: 'heading', level: 2, text: 'What was released at the closing' },
      table(
        [
          { label: 'Paid by the buyer', cents: receipt.totalCents },
          ...(returnedCents === 0
            ? []
            : [{ label: 'Gone back to the buyer before the closing', cents: -returnedCents }]),
        ],
        { label: 'Released from escrow', cents: releasedCents },
      ),
      { kind: 'heading', level: 2, text: "The seller's share" },
      table(settlement.sellerLines, { label: "Seller's proceeds", cents: settlement.sellerCents }),
      { kind: 'heading', level: 2, text: `The share of ${brand}` },
      table(settlement.marketplaceLines, {
        label: 'Commission and fees',
        cents: settlement.marketplaceCents,
      }),
      {
        kind: 'paragraph',
        text: 'This statement shows the sale as it stood at its closing. What is refunded or disputed afterwards is not part of it.',
      },
      checkBlock(checkStatement, settlement.checkUrl),
    ],
  };
}

const marks = ({ receipt: { sandbox, testMode } }: Settlement): PdfBlock[] => {
  const notice = (text: string): PdfBlock => ({ kind: 'paragraph', tone: 'notice', text });
  return [
    ...(sandbox ? [notice('Sandbox – no real money')] : []),
    ...(testMode ? [notice('Test mode – no real money')] : []),
  ];
};

const table = (lines: readonly SaleLine[], total: SaleLine): PdfTable => ({
  kind: 'table',
  columns: [
    { header: 'Item', share: 3 },
    { header: 'Amount', share: 1, right: true },
  ],
  rows: lines.map(({ label, cents }) => [label, dollarsAndCents(cents)]),
  total: [total.label, dollarsAndCents(total.cents)],
});
