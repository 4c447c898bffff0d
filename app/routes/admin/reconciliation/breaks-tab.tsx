import { Form, Link } from 'react-router';
import { BreakCounts, BreakTable } from '#features/reconciliation/components/break-table.tsx';
import type { BreakKind } from '#features/reconciliation/model.ts';
import { breakKinds } from '#features/reconciliation/rules.ts';
import type { BreakCount, BreakPage } from '#features/reconciliation/views.ts';
import { type AdminListQuery, adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { ages, type ReconciliationQuery } from './query.ts';

interface Props {
  list: BreakPage | null;
  counts: readonly BreakCount[];
  query: ReconciliationQuery;
  here: AdminListQuery;
}

/** Differences by kind and age. */
export function BreaksTab({ list, counts, query, here }: Props) {
  const filtered = Boolean(query.kind || query.age || query.state !== 'open');
  return (
    <>
      <BreakCounts counts={counts} href={(kind) => adminPaths.reconciliation({ kind })} />
      <Filters query={query} filtered={filtered} />
      <Panel title="Differences" className="mt-0!">
        <BreakTable
          breaks={list?.breaks ?? null}
          filtered={filtered}
          href={(details) => adminPaths.reconciliation({ ...here, details })}
        />
      </Panel>
      <CursorPagination
        older={list?.before ? adminPaths.reconciliation({ ...here, before: list.before }) : null}
        newest={query.before === null ? null : adminPaths.reconciliation({ ...here, before: undefined })}
      />
    </>
  );
}

function Filters({ query: { state, kind, age }, filtered }: Pick<Props, 'query'> & { filtered: boolean }) {
  return (
    <Form
      action={adminPaths.reconciliation()}
      role="search"
      aria-label="Filter differences"
      className="filter-line"
      preventScrollReset
      onChange={({ currentTarget }) => currentTarget.requestSubmit()}
    >
      <SelectControl
        key={`state ${state}`}
        name="state"
        aria-label="Status"
        options={[
          { value: 'open', label: 'Open' },
          { value: 'resolved', label: 'Resolved' },
          { value: 'all', label: 'Any status' },
        ]}
        defaultValue={state}
      />
      <SelectControl
        key={`kind ${kind}`}
        name="kind"
        aria-label="Kind"
        placeholder="Any kind"
        options={(Object.keys(breakKinds) as BreakKind[]).map((value) => ({
          value,
          label: breakKinds[value].title,
        }))}
        defaultValue={kind ?? ''}
      />
      <SelectControl
        key={`age ${age}`}
        name="age"
        aria-label="Age"
        placeholder="Any age"
        options={ages.map((days) => ({
          value: String(days),
          label: days === 1 ? 'Older than a day' : `Older than ${days} days`,
        }))}
        defaultValue={age === null ? '' : String(age)}
      />
      <Button type="submit" variant="outline" className="no-js">
        Filter
      </Button>
      {filtered && (
        <Link className="link" to={adminPaths.reconciliation()} preventScrollReset>
          Clear
        </Link>
      )}
    </Form>
  );
}
