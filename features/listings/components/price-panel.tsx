import type { ReactNode } from 'react';
import type { Price } from '#features/fees/model.ts';
import { Badge } from '#ui/badge.tsx';
import { Ledger } from '#ui/ledger.tsx';
import type { ListingDetail } from '../model.ts';
import { bathCount, groupedNumber, statusLabel, statusTone, wholeDollars } from '../rules.ts';

interface Props {
  listing: Pick<ListingDetail, 'status' | 'bedrooms' | 'bathrooms' | 'halfBaths' | 'squareFeet'>;
  price: Price;
  /** what can be done from here */
  children: ReactNode;
  /** what stands below that */
  foot?: ReactNode;
}

/** The fee-inclusive price beside the facts, its ledger, and the actions (S0 §2 'Property detail', B-049). */
export function PricePanel({ listing, price, children, foot }: Props) {
  const baths = bathCount(listing);
  const facts = [
    listing.bedrooms ? `${listing.bedrooms} bd` : '',
    baths ? `${baths} ba` : '',
    listing.squareFeet ? `${groupedNumber(listing.squareFeet)} sqft` : '',
  ].filter(Boolean);
  return (
    <section className="sheet" aria-label="Price">
      {listing.status !== 'Active' && (
        <Badge tone={statusTone(listing.status)}>{statusLabel[listing.status]}</Badge>
      )}
      <p className="price">{wholeDollars(price.totalCents)}</p>
      <p className="bbs">{facts.join(' | ')}</p>
      {price.lines.length > 0 && (
        <Ledger
          rows={[
            { label: 'Base price', amount: wholeDollars(price.baseCents) },
            ...price.lines.map((line) => ({ label: line.label, amount: wholeDollars(line.cents) })),
          ]}
          total={{ label: 'Total price', amount: wholeDollars(price.totalCents) }}
        />
      )}
      <div className="stack">{children}</div>
      {foot}
    </section>
  );
}
