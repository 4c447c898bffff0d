import { Form, Link, useSubmit } from 'react-router';
import { toTableQuery } from '#app/table-query.ts';
import { statusLabels } from '#features/sellers/management.ts';
import { type BoundedCount, countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import type { SellersQuery } from './query.ts';

const statuses = [
  { value: '', label: 'All statuses' },
  ...Object.entries(statusLabels).map(([value, label]) => ({ value, label })),
  { value: 'archived', label: 'Archived' },
];

/** Narrows the list by text and status, as a GET form; without scripts the button sends both. */
export function SellersFilter({ query, total }: { query: SellersQuery; total: BoundedCount | undefined }) {
  const { q, status, view, sort, size } = query;
  const submit = useSubmit();
  const order = toTableQuery({ q, sort }).sort;
  return (
    <Form action={adminPaths.sellers()} role="search" className="sellers-filter" preventScrollReset>
      {view === 'list' && <input type="hidden" name="view" value="list" />}
      {order && <input type="hidden" name="sort" value={order} />}
      {size && <input type="hidden" name="size" value={size} />}
      <SearchField
        key={q}
        label="Search sellers"
        name="q"
        defaultValue={q}
        placeholder="Name, email or phone"
        maxLength={200}
      />
      <SelectControl
        key={`status ${status}`}
        name="status"
        aria-label="Status"
        options={statuses}
        defaultValue={status ?? ''}
        onChange={(event) => void submit(event.currentTarget.form, { preventScrollReset: true })}
      />
      <Button type="submit" variant="outline">
        Search
      </Button>
      {(q || status) && (
        <Link
          className="link"
          to={adminPaths.sellers({
            view: view === 'list' ? view : undefined,
            sort: order,
            size: size ?? undefined,
          })}
          preventScrollReset
        >
          Clear
        </Link>
      )}
      {total && (
        <span className="count-line">
          {countText(total)} {total.count === 1 ? 'seller' : 'sellers'}
        </span>
      )}
    </Form>
  );
}
