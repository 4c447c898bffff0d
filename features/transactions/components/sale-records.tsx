import { FileText, ReceiptText } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { SaleDocumentList } from '#features/documents/components/sale-documents.tsx';
import { messageOutcomes } from '#features/payments/display.ts';
import { payoutRefusalText } from '#features/payouts/display.ts';
import { NO_RECEIPT_YET } from '#features/sales/rules.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { DrawerSection } from '#ui/drawer.tsx';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { SaleDetails, SaleRefund } from '../details-model.ts';
import { payoutMethodLabels, statusWord } from './payout-labels.ts';

interface MessagesProps {
  messages: SaleDetails['messages'];
  saleId: string;
}

/** The middle of a reference says least of it. */
const shortReference = (reference: string): string =>
  reference.length > 16 ? `${reference.slice(0, 6)}…${reference.slice(-6)}` : reference;

/** What the payment provider has sent about the sale, the latest first; its content is shown nowhere. */
export function SaleMessages({ messages: { messages, older }, saleId }: MessagesProps) {
  const handled = messages.filter(({ status }) => status === 'processed' || status === 'ignored').length;
  return (
    <DrawerSection
      title="Provider messages"
      note={messages.length > 0 && `${messages.length}${older ? '+' : ''} received, ${handled} handled`}
    >
      {messages.length === 0 ? (
        <p className="hint">None has arrived.</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must be reachable by keyboard
        // biome-ignore lint/a11y/useSemanticElements: a group, but not a fieldset
        <div className="sale-wires" role="group" aria-label="Provider messages" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">Message</th>
                <th scope="col">Reference</th>
                <th scope="col">Result</th>
                <th scope="col">Received</th>
              </tr>
            </thead>
            <tbody>
              {messages.map(({ id, type, reference, status, receivedAt }) => (
                <tr key={id}>
                  <td>{type}</td>
                  <td title={reference ?? undefined}>{reference ? shortReference(reference) : '—'}</td>
                  <td>{messageOutcomes[status]}</td>
                  <td>
                    <LocalTime of={receivedAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Link className="link sale-more" to={adminPaths.operations({ tab: 'messages', q: saleId })}>
        Open in Operations
      </Link>
    </DrawerSection>
  );
}

const refundWords: Record<'pending' | 'succeeded' | 'failed', { label: string; tone: Tone }> = {
  pending: { label: 'On its way', tone: 'info' },
  succeeded: { label: 'Arrived', tone: 'ok' },
  failed: { label: 'Failed', tone: 'bad' },
};
const WITHDRAWN = { label: 'Withdrawn', tone: 'mute' } as const;
const CAME_BACK = { label: 'Came back', tone: 'bad' } as const;

function refundBadge({ status, withdrawn, cameBack }: SaleRefund): { label: string; tone: Tone } {
  if (withdrawn) return WITHDRAWN;
  return cameBack === null ? refundWords[status] : CAME_BACK;
}

/** Who ordered a refund, how it was paid, why, and why it came back. */
function refundDetail({ by, origin, reference, reason, cameBack }: SaleRefund): string {
  const who = by ?? (origin === 'provider' ? 'Made at the provider' : 'By the system');
  const how = reference ? `, by bank transfer ${reference}` : '';
  return `${who}${how}: ${reason}${cameBack === null ? '' : ` It came back: ${cameBack}`}`;
}

/** Refunds to the buyer and payouts to the seller, as far as there are any. */
export function SaleRefundsAndPayouts({
  sale: { id, seller, refunds, payouts, payable },
}: {
  sale: SaleDetails;
}) {
  const hold = payable && !payable.ok ? payable : null;
  return (
    <>
      {refunds.length > 0 && (
        <DrawerSection title="Refunds">
          <ul className="sale-list">
            {refunds.map((refund) => {
              const { label, tone } = refundBadge(refund);
              return (
                <Entry
                  key={refund.id}
                  title={dollarsAndCents(refund.amountCents)}
                  detail={refundDetail(refund)}
                  badge={<Badge tone={tone}>{label}</Badge>}
                  at={refund.at}
                />
              );
            })}
          </ul>
        </DrawerSection>
      )}
      {(payouts.length > 0 || payable) && (
        <DrawerSection title="Payouts" note={payable?.ok && 'Can be paid now'}>
          {hold && (
            <p className="hint">
              {payoutRefusalText(hold.refusal, {
                sellerName: seller.name,
                saleId: id,
                until: hold.until ? new Date(hold.until) : null,
              })}
            </p>
          )}
          <ul className="sale-list">
            {payouts.map(({ id, method, status, amountCents, reference, failure, startedAt }) => {
              const { label, tone } = statusWord(status);
              return (
                <Entry
                  key={id}
                  title={`${dollarsAndCents(amountCents)} by ${payoutMethodLabels[method] ?? method}`}
                  detail={failure ?? reference ?? 'No reference yet'}
                  badge={<Badge tone={tone}>{label}</Badge>}
                  at={startedAt}
                />
              );
            })}
          </ul>
        </DrawerSection>
      )}
    </>
  );
}

interface EntryProps {
  title: string;
  detail: string;
  badge: ReactNode;
  at: string;
}

const Entry = ({ title, detail, badge, at }: EntryProps) => (
  <li>
    <span>
      <b>{title}</b>
      <small className="sale-words">{detail}</small>
    </span>
    <span>
      {badge}
      <small>
        <LocalTime of={at} />
      </small>
    </span>
  </li>
);

/** The documents of the sale. */
export function SaleDocuments({ sale: { id, receipt, documents, property } }: { sale: SaleDetails }) {
  return (
    <DrawerSection title="Documents">
      {receipt === null ? (
        <p className="hint">{NO_RECEIPT_YET}</p>
      ) : (
        <ul className="sale-list sale-docs">
          <li>
            <Icon of={ReceiptText} />
            <span>Receipt {receipt}</span>
            <Link className="link" to={purchasePaths.receipt(id)}>
              Open<span className="vh"> receipt {receipt}</span>
            </Link>
          </li>
          <li>
            <Icon of={FileText} />
            <span>Receipt {receipt}.pdf</span>
            <a className="link" href={purchasePaths.receiptPdf(id)}>
              Open<span className="vh"> receipt {receipt} as PDF</span>
            </a>
          </li>
        </ul>
      )}
      {documents.length > 0 && <SaleDocumentList documents={documents} />}
      <Link className="link sale-more" to={adminPaths.propertyDocuments(property.id)}>
        All documents of the property
      </Link>
    </DrawerSection>
  );
}
