import type { DisputeEvidence } from '#gateways/payments/port.ts';
import { dollarsAndCents } from '#platform/money.ts';
import type { DisputedSale } from './model.ts';

/** What providers accept of one text, in characters. */
const TEXT_MAX_LENGTH = 20_000;
/** Of that, what names documents, so that messages have room, too. */
const DOCUMENTS_MAX_LENGTH = 8_000;
const REFUND_POLICY =
  'The payment is held in escrow until the closing documents are delivered and the buyer confirms the closing. Until then a cancelled sale is refunded in full. ' +
  'If the documents are overdue, the buyer can end the sale alone and gets the full payment back. This is shown beside the button that starts the purchase.';

/**
 * Our answer to a dispute, from what is on record.
 * @param statement what an administrator adds; empty without one
 */
export function composeEvidence(sale: DisputedSale, statement: string): DisputeEvidence['texts'] {
  const { buyer, property, seller, refunds } = sale;
  const delivered = sale.releasedAt ?? sale.documentsDeliveredAt;
  const sections = [statement, receiptText(sale), deliveryText(sale), documentsText(sale)].filter(
    (text) => text !== '',
  );
  const before = sections.join('\n\n');
  return {
    productDescription: `Purchase of the property ${property.address}, ${property.town}, from ${seller.name}, through escrow at ${sale.brand}.`,
    customerName: buyer.name,
    customerEmail: buyer.email,
    ...(buyer.ip !== null && { customerPurchaseIp: buyer.ip }),
    ...(delivered && { serviceDate: longDate(delivered) }),
    accessLog: newest(
      'History of the purchase:',
      sale.history.map(
        ({ at, by, label, note }) => `${time(at)} · ${by} · ${label}${note ? `: ${note}` : ''}`,
      ),
      TEXT_MAX_LENGTH,
    ),
    refundPolicyDisclosure: REFUND_POLICY,
    ...(refunds.length === 0 && {
      refundRefusalExplanation: delivered
        ? 'The closing documents were delivered, and no refund is owed.'
        : 'The payment is held in escrow, and the buyer has been given the ways to get it back that are described in the policy.',
    }),
    statement: [before, messagesText(sale, TEXT_MAX_LENGTH - before.length - 2)]
      .filter((text) => text !== '')
      .join('\n\n'),
  };
}

function receiptText({ receiptNumber, paidAt, paymentRef, ...sale }: DisputedSale): string {
  const line = (label: string, cents: number) => `${label}: ${dollarsAndCents(cents)}`;
  return [
    receiptNumber === null ? 'Payment' : `Receipt ${receiptNumber}`,
    ...(paidAt ? [`Paid: ${time(paidAt)}`] : []),
    ...(paymentRef ? [`Payment: ${paymentRef}`] : []),
    line('Price', sale.basePriceCents),
    ...sale.fees.map(({ label, cents }) => line(label, cents)),
    line('Total', sale.totalCents),
    ...sale.refunds.map(({ cents, at }) => `Refunded on ${longDate(at)}: ${dollarsAndCents(cents)}`),
  ].join('\n');
}

function deliveryText({ documentsDeliveredAt, releasedAt }: DisputedSale): string {
  return [
    ...(documentsDeliveredAt ? [`Closing documents delivered: ${time(documentsDeliveredAt)}`] : []),
    ...(releasedAt ? [`Closing completed, escrow released: ${time(releasedAt)}`] : []),
  ].join('\n');
}

/** What was delivered, by name, number and hash: providers take few files, and small ones. */
const documentsText = ({ documents, attachments }: DisputedSale): string =>
  documents.length === 0
    ? ''
    : newest(
        'Documents that were delivered and that the buyer can open:',
        documents.map(
          ({ id, at, name, number, sha256 }) =>
            `${time(at)} · ${name}${number === null ? '' : ` · ${number}`} · SHA-256 ${sha256}${
              attachments.some(({ document }) => document === id) ? ' · attached' : ''
            }`,
        ),
        DOCUMENTS_MAX_LENGTH,
      );

const messagesText = ({ messages }: DisputedSale, length: number): string =>
  messages.length === 0
    ? ''
    : newest(
        'What buyer and seller wrote to each other since the purchase was started:',
        messages.map(({ at, by, text }) => `${time(at)} · ${by}: ${text}`),
        length,
      );

/** A title and as many of the newest lines, oldest first, as there is room for. */
function newest(title: string, lines: readonly string[], length: number): string {
  const fitting: string[] = [];
  let left = length - title.length;
  for (const line of lines.toReversed()) {
    left -= line.length + 1;
    if (left < 0) break;
    fitting.unshift(line);
  }
  return [title, ...fitting].join('\n');
}

const time = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const longDate = (at: Date): string => at.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
