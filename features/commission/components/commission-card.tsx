import { RecordHistory } from '#features/audit/components/record-history.tsx';
import type { RecordHistoryPage } from '#features/audit/model.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { dayText, effectiveFromText, percentText } from '../display.ts';
import type { Commission } from '../model.ts';

interface Props {
  commission: Commission;
  ownRates: BoundedCount;
  history: RecordHistoryPage | null;
  editHref: string;
  dropHref: string;
  historyHref: (before: number | null) => string;
}

/** What the platform keeps of sales by sellers without a rate of their own, since when, and how that has changed. */
export function CommissionCard({ commission, ownRates, history, editHref, dropHref, historyHref }: Props) {
  const { percent, next } = commission;
  return (
    <Panel
      title="Platform commission"
      actions={
        <ButtonLink variant="outline" to={editHref} preventScrollReset>
          Edit<span className="vh"> platform commission</span>
        </ButtonLink>
      }
    >
      <dl className="grid gap-px border-b border-line bg-line sm:grid-cols-3">
        {(
          [
            ['Default percent', percentText(percent)],
            ['Effective from', effectiveFromText(commission)],
            ['Sellers with their own rate', countText(ownRates)],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="bg-surface px-6 py-5">
            <dt className="text-sm text-ink-muted">{name}</dt>
            <dd className="m-0 mt-1 text-xl font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      <div className="panel-in grid gap-5 pt-6!">
        {next && (
          <Notice>
            <p>
              {percentText(next.percent)} from {dayText(next.from)}, 00:00 UTC, for purchases that start from
              then on.{' '}
              <ButtonLink variant="ghost" size="sm" to={dropHref} preventScrollReset>
                Drop this change
              </ButtonLink>
            </p>
          </Notice>
        )}
        <RecordHistory history={history} href={historyHref} />
      </div>
    </Panel>
  );
}
