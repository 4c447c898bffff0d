import { checkBlock } from '#features/verification/display.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { PdfBlock, PdfContent, PdfFact } from '#platform/pdf/content.ts';
import { formatTime } from '#ui/format-time.ts';
import { checkReceipt } from './display.ts';
import type { ReceiptFacts } from './model.ts';
import { paymentMethodNames, transactionUrl } from './rules.ts';

/** The receipt as a document, with what its page says; times are UTC. The same facts are the same document. */
export function receiptPdf(receipt: ReceiptFacts, brand: string): PdfContent {
  const { number, paidAt, closedAt, refunds } = receipt;
  return {
    title: `Receipt ${number}`,
    issuer: brand,
    createdAt: new Date(closedAt ?? paidAt),
    blocks: [
      { kind: 'heading', level: 1, text: 'Receipt', note: number },
      ...marks(receipt),
      { kind: 'facts', facts: parties(receipt) },
      {
        kind: 'table',
        columns: [
          { header: 'Item', share: 3 },
          { header: 'Amount', share: 1, right: true },
        ],
        rows: [
          ['Base price', dollarsAndCents(receipt.basePriceCents)],
          ...receipt.lines.map(({ label, cents }) => [label, dollarsAndCents(cents)]),
        ],
        total: ['Total paid', dollarsAndCents(receipt.totalCents)],
      },
      ...(refunds.length > 0 ? [{ kind: 'facts' as const, facts: refunds.map(refunded) }] : []),
      { kind: 'heading', level: 2, text: 'Payment' },
      { kind: 'facts', facts: payment(receipt) },
      checkBlock(checkReceipt, receipt.checkUrl),
    ],
  };
}

const notice = (text: string): PdfBlock => ({ kind: 'paragraph', tone: 'notice', text });

const marks = ({ sandbox, testMode, state }: ReceiptFacts): PdfBlock[] => [
  ...(sandbox ? [notice('Sandbox – no real money')] : []),
  ...(testMode ? [notice('Test mode – no real money')] : []),
  ...(state.payment === 'refunded' ? [notice('Refunded in full')] : []),
];

const parties = ({ paidAt, closedAt, property, buyer, seller }: ReceiptFacts): PdfFact[] => [
  { label: 'Date', lines: [formatTime(paidAt, 'exact', 'UTC')] },
  ...(closedAt ? [{ label: 'Closed', lines: [formatTime(closedAt, 'exact', 'UTC')] }] : []),
  { label: 'Property', lines: [property.address, property.town] },
  { label: 'Buyer', lines: [buyer.name, buyer.email] },
  { label: 'Seller', lines: [seller.name, seller.email] },
];

const refunded = ({ cents, at }: ReceiptFacts['refunds'][number]): PdfFact => ({
  label: 'Refunded',
  lines: [`${dollarsAndCents(cents)}, ${formatTime(at, 'exact', 'UTC')}`],
});

const payment = ({ method, paymentRef, network, txHash, providerReceiptUrl }: ReceiptFacts): PdfFact[] => [
  { label: 'Paid by', lines: [paymentMethodNames[method]] },
  ...(paymentRef ? [{ label: 'Payment', lines: [paymentRef] }] : []),
  ...(network ? [{ label: 'Network', lines: [network] }] : []),
  ...(txHash ? [{ label: 'Transaction', lines: [txHash], url: transactionUrl(network, txHash) }] : []),
  ...(providerReceiptUrl
    ? [{ label: 'Provider', lines: ["The provider's own receipt"], url: providerReceiptUrl }]
    : []),
];
