import type { ReactNode } from 'react';
import { Link } from 'react-router';
import {
  escrowLabel,
  escrowTone,
  paidByLabels,
  paymentLabel,
  paymentTone,
  payoutStatusBadge,
} from '#features/sales/rules.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import type { SaleDetails } from '../details-model.ts';
import { ledgersOf, standingsOf } from '../sale-ledger.ts';

/** The three statuses of a sale. */
export function SaleStates({ sale: { state } }: { sale: SaleDetails }) {
  const payout = state.payout
    ? payoutStatusBadge(state)
    : { label: 'Not yet payable', tone: 'mute' as const };
  return (
    <DrawerSection>
      <dl className="sale-triple">
        <Status name="Payment">
          <Badge tone={paymentTone[state.payment]}>{paymentLabel[state.payment]}</Badge>
        </Status>
        <Status name="Escrow">
          <Badge tone={escrowTone[state.escrow]}>{escrowLabel[state.escrow]}</Badge>
        </Status>
        <Status name="Payout">
          <Badge tone={payout.tone}>{payout.label}</Badge>
        </Status>
      </dl>
    </DrawerSection>
  );
}

const Status = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Buyer and seller, with links to what is known of them. */
export function SaleParties({ sale: { buyer, seller } }: { sale: SaleDetails }) {
  return (
    <DrawerSection title="Parties">
      <ul className="sale-pair">
        <Person as="Buyer" who={buyer} href={adminPaths.buyers({ details: buyer.id })} />
        <Person as="Seller" who={seller} href={adminPaths.sellers({ details: seller.id })} />
      </ul>
    </DrawerSection>
  );
}

function Person({ as, who, href }: { as: string; who: SaleDetails['buyer']; href: string }) {
  return (
    <li className="sale-who">
      <Avatar name={who.name} />
      <div>
        <Link to={href}>{who.name}</Link>
        <small>
          {as} · {who.email}
        </small>
      </div>
    </li>
  );
}

/** What the buyer pays and where it goes, as two columns of one ledger; below them where money stands now. */
export function SaleMoneyColumns({ sale }: { sale: SaleDetails }) {
  const { buyer, parties } = ledgersOf(sale);
  const standings = standingsOf(sale);
  return (
    <DrawerSection title="Money" note={`${paidByLabels[sale.paidBy]}, US dollars`}>
      <div className="sale-ledgers">
        {[buyer, parties].map(({ rows, total }) => (
          <PriceBreakdown
            key={total.label}
            rows={rows.map(({ label, cents }) => ({ label, amount: dollarsAndCents(cents) }))}
            total={{ label: total.label, amount: dollarsAndCents(total.cents) }}
          />
        ))}
      </div>
      {standings.length > 0 && (
        <DrawerFacts facts={standings.map(({ label, cents }) => [label, dollarsAndCents(cents)] as const)} />
      )}
    </DrawerSection>
  );
}
