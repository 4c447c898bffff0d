import { dollarsAndCents } from '#platform/money.ts';
import './sales-table.css';
import { Panel } from '#ui/panel.tsx';
import { PriceBreakdown } from '#ui/price-breakdown.tsx';
import type { SellerTotals } from '../seller-sales.ts';
import { closedSales } from '../seller-totals.ts';

/** How a seller's proceeds follow from the sale prices, over all closed sales; nothing before the first one. */
export function ProceedsPanel({ totals: { total, proceeds } }: { totals: SellerTotals }) {
  if (total.count === 0) return null;
  const { priceCents, platformCents, feesCents, proceedsCents } = proceeds;
  const deductions = [
    { label: "Platform's share", cents: -platformCents },
    { label: 'Seller fees', cents: -feesCents },
  ].filter(({ cents }) => cents !== 0);
  return (
    <Panel title="How your proceeds add up" inset>
      <div className="proceeds">
        <PriceBreakdown
          rows={[{ label: `Sale prices of ${closedSales(total)}`, cents: priceCents }, ...deductions].map(
            ({ label, cents }) => ({ label, amount: dollarsAndCents(cents) }),
          )}
          total={{ label: 'Your proceeds', amount: dollarsAndCents(proceedsCents) }}
        />
        <p className="total-note">
          “Commission” is your share of the sale price before seller fees. Sales in escrow and cancelled sales
          are not counted.
        </p>
      </div>
    </Panel>
  );
}
