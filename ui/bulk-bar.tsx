import type { ReactNode } from 'react';

interface BulkBarProps {
  count: number;
  /** The sum of the chosen rows, formatted, where there is one. */
  sum?: string;
  onClear: () => void;
  /** The single bulk action. */
  action: ReactNode;
}

/** Above the head of a table while rows are chosen (look §6). */
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
