import { formatCount } from '#platform/format-count.ts';
import './managed-sellers.css';
import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { clippedName, type ManagedSeller, NOT_SET, paymentMethodLabels } from '../management.ts';
import { phoneText } from '../phone.ts';
import { CommissionForm } from './commission-form.tsx';
import { Fact } from './fact.tsx';
import { PaymentFacts } from './payment-facts.tsx';
import { SellerBadges } from './seller-badges.tsx';

export type CardTab = 'details' | 'payment' | 'history';

/** The page's URL with some of its parameters changed. */
export type SellersHref = (change: Readonly<Record<string, string | undefined>>) => string;

interface Props {
  seller: ManagedSeller;
  defaultRate: number;
  tab: CardTab;
  href: SellersHref;
  /** what was typed and refused in this card */
  refused: { rate?: string | undefined; error?: string | undefined } | null;
  /** the commission history, on its tab */
  history: ReactNode;
}

/** A seller with everything that administrators do about them. */
export function SellerCard({ seller, defaultRate, tab, href, refused, history }: Props) {
  const { id, name, email, commissionRate, archivedAt } = seller;
  return (
    <article className="seller-card" aria-labelledby={`seller-${id}`}>
      <header>
        <Avatar name={name} large />
        <div>
          <h2 id={`seller-${id}`}>{name}</h2>
          <a className="link" href={`mailto:${email}`}>
            {email}
          </a>
        </div>
        <SellerBadges seller={seller} />
      </header>
      <Tabs
        label={clippedName(name)}
        current={tab}
        tabs={[
          { id: 'details', label: 'Details', href: href({ seller: undefined, tab: undefined }) },
          { id: 'payment', label: 'Payment Settings', href: href({ seller: id, tab: 'payment' }) },
          { id: 'history', label: 'Commission History', href: href({ seller: id, tab: 'history' }) },
        ]}
      >
        {tab === 'details' && (
          <div className="seller-cols">
            <SellerFacts seller={seller} href={href} />
            <div>
              {!archivedAt && (
                <CommissionForm
                  // What is on record now starts the form anew.
                  key={`${commissionRate} ${refused?.error}`}
                  sellerId={id}
                  rate={commissionRate}
                  defaultRate={defaultRate}
                  typed={refused?.rate}
                  error={refused?.error}
                  action={href({})}
                />
              )}
              <SellerButtons seller={seller} href={href} />
            </div>
          </div>
        )}
        {tab === 'payment' && <PaymentFacts seller={seller} />}
        {tab === 'history' && history}
      </Tabs>
    </article>
  );
}

function SellerFacts({ seller, href }: { seller: ManagedSeller; href: SellersHref }) {
  const {
    id,
    name,
    phone,
    payment,
    listings,
    sales,
    registered,
    since,
    statusReason,
    archivedAt,
    withdrawing,
  } = seller;
  return (
    <dl className="seller-facts">
      <Fact name="Phone">
        <span>{phone ? phoneText(phone) : NOT_SET}</span>
        {!archivedAt && (
          <Link className="link" to={href({ do: 'phone', id })} preventScrollReset>
            Edit<span className="vh"> the phone number of {clippedName(name)}</span>
          </Link>
        )}
      </Fact>
      <Fact name="Payment method">
        {payment.method ? paymentMethodLabels[payment.method] : <Badge tone="mute">{NOT_SET}</Badge>}
      </Fact>
      <Fact name="Listings">{formatCount(listings)}</Fact>
      <Fact name="Sales">
        {formatCount(sales.count)} · {dollarsAndCents(sales.cents)}
      </Fact>
      <Fact name={registered ? 'Seller since' : 'Invited'}>
        <LocalTime of={since} as="date" />
      </Fact>
      {statusReason && <Fact name="Suspended because">{statusReason}</Fact>}
      {archivedAt && (
        <Fact name="Archived">
          <LocalTime of={archivedAt} as="date" />
        </Fact>
      )}
      {withdrawing > 0 && <Fact name="Still to be withdrawn">{formatCount(withdrawing)}</Fact>}
    </dl>
  );
}

function SellerButtons({ seller, href }: { seller: ManagedSeller; href: SellersHref }) {
  const { id, name, registered, emailVerified, status, listings, archivedAt } = seller;
  const sending = usePendingForm('resend')?.get('id') === id;
  const of = <span className="vh"> {clippedName(name)}</span>;
  const opens = (dialog: string) => ({ to: href({ do: dialog, id }), preventScrollReset: true });
  return (
    <div className="seller-acts">
      {!archivedAt && (
        <Form method="post" action={href({})} preventScrollReset>
          <IntentField is="resend" />
          <input type="hidden" name="id" value={id} />
          <Button type="submit" variant="outline" size="sm" busy={sending}>
            {registered && emailVerified ? 'Send password reset' : 'Resend invitation'}
            <span className="vh"> to {clippedName(name)}</span>
          </Button>
        </Form>
      )}
      {!archivedAt && mayBeSuspended({ registered, listings, status }) && (
        <ButtonLink variant="outline" size="sm" {...opens(status === 'suspended' ? 'reactivate' : 'suspend')}>
          {status === 'suspended' ? 'Reactivate' : 'Suspend'}
          {of}
        </ButtonLink>
      )}
      {!archivedAt && (
        <ButtonLink variant="outline" size="sm" className="seller-delete" {...opens('delete')}>
          Delete
          {of}
        </ButtonLink>
      )}
      <ButtonLink variant="ghost" size="sm" to={href({ details: id })} preventScrollReset>
        History
        {of}
      </ButtonLink>
    </div>
  );
}

/** Whoever has neither registered nor listed anything has nothing that a suspension would stop. */
export const mayBeSuspended = ({
  registered,
  listings,
  status,
}: Pick<ManagedSeller, 'registered' | 'listings' | 'status'>): boolean =>
  registered || listings > 0 || status === 'suspended';
