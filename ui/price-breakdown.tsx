import type { ReactNode } from 'react';

interface PriceBreakdownRow {
  label: ReactNode;
  /** Formatted money. */
  amount: string;
}

/** Price, fees and total with dotted leaders; the total comes last, above a double rule. */
export function PriceBreakdown({
  rows,
  total,
}: {
  rows: readonly PriceBreakdownRow[];
  total?: PriceBreakdownRow;
}) {
  return (
    <dl className="ledger">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may be identical, and rows never move
        <div key={index}>
          <dt>{row.label}</dt>
          <dd>{row.amount}</dd>
        </div>
      ))}
      {total && (
        <div className="ledger-total">
          <dt>{total.label}</dt>
          <dd>{total.amount}</dd>
        </div>
      )}
    </dl>
  );
}
