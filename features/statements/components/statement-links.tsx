import { dollarsAndCents } from '#platform/money.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { monthName } from '../months.ts';
import './statement-table.css';

/** Months shown; older ones have the same addresses. */
const SHOWN = 12;

interface Props {
  sellerId: string;
  /** newest first; null when they could not be loaded */
  months: readonly { month: string; closed: boolean; closingCents: number }[] | null;
}

/** A seller's latest statements as files, for administrators. */
export function StatementLinks({ sellerId, months }: Props) {
  if (!months) return <p className="hint">The statements could not be loaded.</p>;
  return (
    <ul className="statement-links">
      {months.slice(0, SHOWN).map(({ month, closed, closingCents }) => (
        <li key={month}>
          <span>
            {monthName(month)} <small>{closed ? dollarsAndCents(closingCents) : 'still open'}</small>
          </span>
          <span>
            <a
              className="link"
              href={sellerPaths.statementFile({ sellerId, month, format: 'pdf' })}
              aria-label={`Statement of ${monthName(month)} as PDF`}
              download
            >
              PDF
            </a>{' '}
            <a
              className="link"
              href={sellerPaths.statementFile({ sellerId, month, format: 'csv' })}
              aria-label={`Statement of ${monthName(month)} as CSV`}
              download
            >
              CSV
            </a>
          </span>
        </li>
      ))}
    </ul>
  );
}
