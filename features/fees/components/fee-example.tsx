import { dollarsAndCents } from '#platform/money.ts';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import { EXAMPLE_CENTS, type FeeExample } from '../example.ts';

type Line = NonNullable<FeeExample['buyer']>['lines'][number];

const rowOf = (sign: string) => (line: Line) => ({
  label: line.edited ? <b className="font-semibold text-ink">{line.label}</b> : line.label,
  amount: `${sign}${dollarsAndCents(line.cents)}`,
});

/** What the fee means for a sale of $500,000: the buyer's price, the seller's proceeds, or both. */
export function FeeExampleView({
  example: { buyer, seller },
  sellerShareCents,
}: {
  example: FeeExample;
  sellerShareCents: number;
}) {
  if (!buyer && !seller) return null;
  return (
    <section className="rounded-md border border-line bg-raised p-5" aria-labelledby="fee-example">
      <h3 id="fee-example" className="m-0 font-sans text-sm font-semibold tracking-normal">
        On a {dollarsAndCents(EXAMPLE_CENTS)} sale
      </h3>
      {buyer && (
        <PriceBreakdown
          rows={[
            { label: 'Base price', amount: dollarsAndCents(EXAMPLE_CENTS) },
            ...buyer.lines.map(rowOf('')),
          ]}
          total={{ label: 'Total price', amount: dollarsAndCents(buyer.totalCents) }}
        />
      )}
      {seller && (
        <PriceBreakdown
          rows={[
            { label: 'Seller’s share', amount: dollarsAndCents(sellerShareCents) },
            ...seller.lines.map(rowOf('−')),
          ]}
          total={{ label: 'Seller receives', amount: dollarsAndCents(seller.totalCents) }}
        />
      )}
    </section>
  );
}
