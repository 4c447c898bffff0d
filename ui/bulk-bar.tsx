import type { ReactNode } from 'react';

interface BulkBarProps {
  count: number;
  /** The formatted sum of the selected rows, where there is one and once it is known. */
  sum?: string | undefined;
  onClear: () => void;
  /** Offered where more rows match than are selected. */
  more?: { label: string; onSelect: () => void } | undefined;
  /** The single bulk action. */
  action: ReactNode;
}

/** Shown above a table while rows are selected. */
export function BulkBar({ count, sum, onClear, more, action }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <div className="bulk">
      <b role="status">{count.toLocaleString('en-US')} selected</b>
      <button type="button" className="bulk-clear" onClick={onClear}>
        Clear Selection
      </button>
      {more && (
        <button type="button" className="bulk-clear" onClick={more.onSelect}>
          {more.label}
        </button>
      )}
      {sum && <span className="money">{sum}</span>}
      {action}
    </div>
  );
}
