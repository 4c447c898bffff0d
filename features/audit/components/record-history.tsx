import { useId } from 'react';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { ErrorState } from '#ui/error-state.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { TextSkeleton } from '#ui/skeleton.tsx';
import { useRetry } from '#ui/use-retry.ts';
import type { HistoryEntry, RecordHistoryPage } from '../model.ts';
import { HistoryChanges } from './history-changes.tsx';

interface RecordHistoryProps {
  /** `undefined` while loading, null when it could not be loaded */
  history: RecordHistoryPage | null | undefined;
  /** the page's URL with this part of the history; null leads to the first part */
  href: (before: number | null) => string;
}

/** The 'History' part of a record's details, for a `DrawerSection`: who did what and when, with what was there before and after. */
export function RecordHistory({ history, href }: RecordHistoryProps) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <div className="drawer-section-head">
        <h3 id={id}>History</h3>
      </div>
      <Content history={history} href={href} />
    </section>
  );
}

function Content({ history, href }: RecordHistoryProps) {
  const retry = useRetry();
  if (history === null) return <ErrorState title="The history could not be loaded." retry={retry} />;
  if (history === undefined)
    return (
      <div role="status">
        <span className="vh">Loading history...</span>
        <TextSkeleton rows={4} />
      </div>
    );
  if (history.entries.length === 0)
    return <p className="m-0 text-ink-muted">Nothing has been recorded yet.</p>;
  return (
    <>
      <ol className="m-0 grid list-none gap-4 p-0">
        {history.entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      <CursorPagination
        older={history.older === null ? null : href(history.older)}
        newest={history.isLater ? href(null) : null}
      />
    </>
  );
}

function Entry({ entry: { at, who, role, what, changes } }: { entry: HistoryEntry }) {
  return (
    <li className="grid gap-1 border-l-2 border-line pl-4">
      <span className="flex flex-wrap justify-between gap-x-4">
        <b className="font-medium">{what}</b>
        <span className="text-sm text-ink-muted">
          <LocalTime of={at} as="exact" />
        </span>
      </span>
      <span className="text-sm text-ink-muted">
        {who}
        {role && `, ${role.toLowerCase()}`}
      </span>
      <HistoryChanges changes={changes} />
    </li>
  );
}
