import './buyers.css';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { TestModeMark } from '#features/sales/components/test-mode-mark.tsx';
import { escrowLabel, paymentLabel, paymentTone } from '#features/sales/rules.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { BuyerDetails, InquiryState } from '../model.ts';
import { buyerStatusBadges, mailStatusBadges } from '../rules.ts';

interface Props {
  buyer: BuyerDetails;
  /** the URL that opens a sale */
  saleHref: (saleId: string) => string;
  /** the lists of everything of this buyer */
  allHrefs: { sales: string; inquiries: string };
  /** the URL that opens the messages of an inquiry */
  messagesHref: (inquiryId: string) => string;
  stateBadges: Readonly<Record<InquiryState, { label: string; tone: Tone }>>;
}

/** What a buyer's details say: the account, and the newest purchases, inquiries, mails and sessions. */
export function BuyerSections({ buyer, saleHref, allHrefs, messagesHref, stateBadges }: Props) {
  const { status, suspension, closedAt, sales, inquiries, mails, sessions } = buyer;
  const badge = buyerStatusBadges[status];
  return (
    <>
      <DrawerSection title="Account">
        <DrawerFacts
          facts={[
            [
              'Status',
              <Badge key="status" tone={badge.tone}>
                {badge.label}
              </Badge>,
            ],
            ['Suspended', suspension && <LocalTime of={suspension.at} as="exact" />],
            ['Reason', suspension?.reason],
            ['Closed', closedAt && <LocalTime of={closedAt} as="exact" />],
            ['Joined', <LocalTime key="joined" of={buyer.joinedAt} as="date" />],
            ['ID', buyer.id],
          ]}
        />
      </DrawerSection>
      <List title="Purchases" none="No purchases." allHref={allHrefs.sales} {...sales}>
        {({ id, address, totalCents, payment, escrow, testMode, at }) => (
          <li key={id}>
            <span>
              <Link className="link" to={saleHref(id)}>
                {address}
              </Link>
              <small>
                <LocalTime of={at} as="date" /> · Escrow: {escrowLabel[escrow]}
              </small>
              <TestModeMark testMode={testMode} />
            </span>
            <span>
              {dollarsAndCents(totalCents)} <Badge tone={paymentTone[payment]}>{paymentLabel[payment]}</Badge>
            </span>
          </li>
        )}
      </List>
      <List title="Inquiries" none="No inquiries." allHref={allHrefs.inquiries} {...inquiries}>
        {({ id, address, state, at }) => (
          <li key={id}>
            <span>
              <Link className="link" to={messagesHref(id)}>
                {address}
              </Link>
              <small>
                <LocalTime of={at} as="date" />
              </small>
            </span>
            <Badge tone={stateBadges[state].tone}>{stateBadges[state].label}</Badge>
          </li>
        )}
      </List>
      <List title="Emails" none="No emails." {...mails}>
        {({ id, subject, status, problem, at }) => (
          <li key={id}>
            <span>
              {subject || 'Erased'}
              <small>
                <LocalTime of={at} />
                {problem && ` · ${problem}`}
              </small>
            </span>
            <Badge tone={mailStatusBadges[status].tone}>{mailStatusBadges[status].label}</Badge>
          </li>
        )}
      </List>
      <List title="Open sessions" none="Not signed in anywhere." {...sessions}>
        {({ id, device, ip, startedAt, lastUsedAt }) => (
          <li key={id}>
            <span>
              {device}
              <small>
                Signed in <LocalTime of={startedAt} /> · last used <LocalTime of={lastUsedAt} />
              </small>
            </span>
            <span>{ip ?? ''}</span>
          </li>
        )}
      </List>
    </>
  );
}

interface ListProps<Row> {
  title: string;
  none: string;
  rows: readonly Row[];
  total: BoundedCount;
  /** where the others are */
  allHref?: string;
  children: (row: Row) => ReactNode;
}

function List<Row>({ title, none, rows, total, allHref, children }: ListProps<Row>) {
  const note =
    total.count > rows.length ? `The newest ${rows.length} of ${countText(total)}` : countText(total);
  return (
    <DrawerSection title={title} note={total.count > 0 && note}>
      {rows.length === 0 ? (
        <p className="m-0 text-ink-muted text-sm">{none}</p>
      ) : (
        <ul className="buyer-list">{rows.map(children)}</ul>
      )}
      {allHref && total.count > rows.length && (
        <Link className="link text-sm" to={allHref}>
          All {title.toLowerCase()}
        </Link>
      )}
    </DrawerSection>
  );
}
