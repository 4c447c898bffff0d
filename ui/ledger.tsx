import type { ReactNode } from 'react';

export interface LedgerRow {
  label: ReactNode;
  /** Formatted money. */
  amount: string;
}

/** Base, fees and total with dotted leaders; the total comes last, above a double brass rule. */
export function Ledger({ rows, total }: { rows: readonly LedgerRow[]; total?: LedgerRow }) {
  return (
    <dl className="ledger">
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two rows may read the same, and rows never move
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
