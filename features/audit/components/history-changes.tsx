import type { HistoryChange } from '../model.ts';

/** Changes that are shown without a click. */
const SHOWN = 4;

/** What was there before and after, field by field; of many only the number until they are asked for. */
export function HistoryChanges({ changes }: { changes: readonly HistoryChange[] }) {
  if (changes.length === 0) return null;
  if (changes.length <= SHOWN) return <List changes={changes} />;
  return (
    <details>
      <summary className="cursor-pointer text-sm">{changes.length} fields</summary>
      <List changes={changes} />
    </details>
  );
}

function List({ changes }: { changes: readonly HistoryChange[] }) {
  return (
    <dl className="m-0 grid gap-0.5 text-sm">
      {changes.map(({ field, before, after }) => (
        <div key={field} className="[overflow-wrap:anywhere]">
          <dt className="inline text-ink-muted">{field}: </dt>
          <dd className="m-0 inline">
            {before !== null && (
              <>
                <span className="vh">before </span>
                <s className="text-ink-muted">{before}</s>
              </>
            )}
            {before !== null && after !== null && <span aria-hidden="true"> → </span>}
            {after !== null && (
              <>
                {before !== null && <span className="vh"> after </span>}
                {after}
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
