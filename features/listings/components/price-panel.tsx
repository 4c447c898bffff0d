import type { ReactNode } from 'react';
import type { Price } from '#features/fees/model.ts';
import { inWholeDollars } from '#features/fees/rules.ts';
import { wholeDollars } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import { cardFacts, statusLabel, statusTone } from '../display.ts';
import type { ListingDetail } from '../model.ts';

interface Props {
  listing: Pick<
    ListingDetail,
    'status' | 'bedrooms' | 'bathrooms' | 'halfBaths' | 'squareFeet' | 'lotSquareFeet'
  >;
  price: Price;
  /** action buttons */
  children: ReactNode;
  /** content below the buttons */
  footer?: ReactNode;
}

/** Fee-inclusive price, key facts, price breakdown and actions of the property page. */
export function PricePanel({ listing, price, children, footer }: Props) {
  const facts = cardFacts(listing);
  const whole = inWholeDollars(price);
  return (
    <section className="sheet" aria-label="Price">
      {listing.status !== 'Active' && (
        <Badge tone={statusTone(listing.status)}>{statusLabel[listing.status]}</Badge>
      )}
      <p className="price">{wholeDollars(whole.totalCents)}</p>
      <p className="bbs">{facts.join(' | ')}</p>
      {price.lines.length > 0 && (
        <PriceBreakdown
          rows={[
            { label: 'Base price', amount: wholeDollars(whole.baseCents) },
            ...whole.lines.map((line) => ({ label: line.label, amount: wholeDollars(line.cents) })),
          ]}
          total={{ label: 'Total price', amount: wholeDollars(whole.totalCents) }}
        />
      )}
      <div className="stack">{children}</div>
      {footer}
    </section>
  );
}
