import './breaks.css';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import { decimalAmount, dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Drawer, DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { BreakAction } from '../break-actions.ts';

import {
  accountName,
  actionTexts,
  askedWords,
  breakRefusals,
  resolutionLabels,
  stateBadges,
} from '../display.ts';
import { type BreakDecision, type BreakDetail, transactionLabels } from '../views.ts';

interface Props {
  /** null while the drawer is closed */
  shown: { detail: BreakDetail; decision: BreakDecision } | null;
  closeHref: string;
  actionHref: (action: BreakAction) => string;
  /** the page of the sale; undefined while there is none */
  saleHref: (saleId: string) => string | undefined;
  history: ReactNode;
}

/** A difference with both sides next to each other, what is known about it, and what can be done. */
export function BreakDrawer({ shown, closeHref, actionHref, saleHref, history }: Props) {
  return (
    <Drawer
      closeHref={closeHref}
      content={
        shown && {
          title: shown.detail.title,
          text: accountName(shown.detail),
          actions:
            shown.decision.actions.length > 0 &&
            shown.decision.actions.map((action, index) => (
              <ButtonLink
                key={action}
                variant={index === 0 ? 'primary' : 'outline'}
                to={actionHref(action)}
                preventScrollReset
              >
                {actionTexts[action].label}
              </ButtonLink>
            )),
          children: (
            <>
              <Summary {...shown} saleHref={saleHref} />
              <BothSides detail={shown.detail} />
              <Evidence of={shown.detail.evidence} />
              <Approvals detail={shown.detail} />
              <DrawerSection>{history}</DrawerSection>
            </>
          ),
        }
      }
    />
  );
}

/** What an open difference waits for that nobody can decide about here now. */
function waitsFor({ refunds }: BreakDetail, { refundRuns }: BreakDecision): string {
  if (refundRuns) return 'A refund is on its way. You can acknowledge the difference when it has left.';
  return refunds.some(({ status }) => status === 'pending' || status === 'sent')
    ? 'It is resolved when the provider has booked the refund.'
    : breakRefusals.elsewhere;
}

function Summary({
  detail,
  decision,
  saleHref,
}: { detail: BreakDetail; decision: BreakDecision } & Pick<Props, 'saleHref'>) {
  const { state, kind, resolution, saleId, createdAt, resolvedAt, resolvedBy, approvedBy, note } = detail;
  const { tone, label } = stateBadges[state];
  const href = saleId === null ? undefined : saleHref(saleId);
  return (
    <DrawerSection>
      <Badge tone={tone}>{label}</Badge>
      {detail.detail && <p>{detail.detail}</p>}
      {state === 'awaiting_approval' && kind === 'payment_mismatch' && (
        <p>Another administrator approves it by accepting the payment of its sale.</p>
      )}
      {state === 'open' && decision.actions.length === 0 && <p>{waitsFor(detail, decision)}</p>}
      <DrawerFacts
        facts={[
          ['Found', <LocalTime key="found" of={createdAt} as="exact" />],
          [
            'Sale',
            saleId &&
              (href ? (
                <Link key="sale" className="link" to={href}>
                  {saleId}
                </Link>
              ) : (
                saleId
              )),
          ],
          ['Left to explain', decision.atStakeCents === null ? null : dollarsAndCents(decision.atStakeCents)],
          ['Outcome', resolution && resolutionLabels[resolution]],
          ['Resolved', resolvedAt && <LocalTime key="resolved" of={resolvedAt} as="exact" />],
          ['Resolved by', resolvedBy ?? (state === 'resolved' ? 'The system' : null)],
          ['Approved by', approvedBy],
          ['Reason', note],
        ]}
      />
    </DrawerSection>
  );
}

/** What the books say on the left, what the provider says on the right. */
function BothSides({ detail }: { detail: BreakDetail }) {
  const { expectedCents, actualCents, postings, transaction } = detail;
  return (
    <DrawerSection title="Both sides">
      <div className="sides">
        <Side title="Our books" cents={expectedCents}>
          {postings.map(({ id, memo, cents, at }) => (
            <div key={id}>
              <dt>{memo}</dt>
              <dd>
                {dollarsAndCents(cents)}
                <small>
                  <LocalTime of={at} as="exact" />
                </small>
              </dd>
            </div>
          ))}
        </Side>
        <Side title="The provider" cents={actualCents}>
          {transaction && (
            <>
              <div>
                <dt>{transactionLabels[transaction.kind]}</dt>
                <dd>
                  {amountIn(transaction.amountCents, transaction.currency)}
                  <small>
                    <LocalTime of={transaction.bookedAt} as="exact" />
                  </small>
                </dd>
              </div>
              {transaction.feeCents !== 0 && (
                <div>
                  <dt>Fee</dt>
                  <dd>{amountIn(transaction.feeCents, transaction.currency)}</dd>
                </div>
              )}
              {[transaction.ref, transaction.checkoutRef, transaction.paymentRef, transaction.objectRef]
                .filter((ref, index, all) => ref !== null && all.indexOf(ref) === index)
                .map((ref) => (
                  <div key={ref}>
                    <dt>Reference</dt>
                    <dd className="sides-ref">{ref}</dd>
                  </div>
                ))}
            </>
          )}
        </Side>
      </div>
    </DrawerSection>
  );
}

function Side({ title, cents, children }: { title: string; cents: number | null; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h4 id={id}>{title}</h4>
      <p className="sides-sum">{cents === null ? '—' : dollarsAndCents(cents)}</p>
      <dl>{children}</dl>
    </section>
  );
}

/** An amount as its provider states it; the books know dollars alone. */
const amountIn = (cents: number, currency: string): string =>
  currency === 'usd' ? dollarsAndCents(cents) : `${decimalAmount(cents)} ${currency.toUpperCase()}`;

/** Everything else that was noted when it was found. */
function Evidence({ of }: { of: unknown }) {
  const facts = typeof of === 'object' && of !== null ? Object.entries(of) : [];
  if (facts.length === 0) return null;
  return (
    <DrawerSection title="Evidence">
      <DrawerFacts
        facts={facts.map(([name, value]) => [
          spelledOut(name),
          <span key={name} className="sides-ref">
            {typeof value === 'string' ? value : JSON.stringify(value)}
          </span>,
        ])}
      />
    </DrawerSection>
  );
}

/** 'paymentRef' → 'Payment ref' */
function spelledOut(name: string): string {
  const words = name
    .replaceAll(/([A-Z])/g, ' $1')
    .replaceAll('_', ' ')
    .toLowerCase()
    .trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const decisionLabels: Readonly<Record<string, string>> = {
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
};

function Approvals({ detail: { kind, approvals, refunds } }: { detail: BreakDetail }) {
  if (approvals.length === 0 && refunds.length === 0) return null;
  return (
    <DrawerSection title="Decisions">
      <ul className="decisions">
        {approvals.map(({ requestedAt, requestedBy, amountCents, account, reason, decision, decidedBy }) => (
          <li key={requestedAt}>
            {requestedBy} {askedWords(dollarsAndCents(amountCents), account, kind)}: {reason}
            <small>
              {decision === null
                ? 'Waits for another administrator'
                : `${decisionLabels[decision] ?? decision} by ${decidedBy ?? 'the system'}`}
            </small>
          </li>
        ))}
        {refunds.map(({ createdAt, amountCents, status, failure }) => (
          <li key={createdAt}>
            Refund of {dollarsAndCents(amountCents)}
            <small>{failure ? `Failed: ${failure}` : refundLabels[status]}</small>
          </li>
        ))}
      </ul>
    </DrawerSection>
  );
}

const refundLabels: Readonly<Record<BreakDetail['refunds'][number]['status'], string>> = {
  pending: 'Waits to be sent',
  sent: 'Sent to the provider',
  arrived: 'Booked by the provider',
  failed: 'Failed',
};
