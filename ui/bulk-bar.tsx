import type { ReactNode } from 'react';

interface BulkBarProps {
  count: number;
  /** The formatted sum of the selected rows, where there is one. */
  sum?: string;
  onClear: () => void;
  /** The single bulk action. */
  action: ReactNode;
}

/** Shown above a table while rows are selected. */
export function BulkBar({ count, sum, onClear, action }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <div className="bulk">
      <b role="status">{count} selected</b>
      <button type="button" className="bulk-clear" onClick={onClear}>
        Clear Selection
      </button>
      {sum && <span className="money">{sum}</span>}
      {action}
    </div>
  );
}
