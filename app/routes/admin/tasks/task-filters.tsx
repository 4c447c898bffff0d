import { Form, Link } from 'react-router';
import { taskSeverities } from '#features/tasks/model.ts';
import { taskKinds } from '#features/tasks/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { SearchField } from '#ui/search-field.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { severityLabels } from './severity.tsx';
import { type TaskQuery, toTaskQuery } from './task-query.ts';

interface Props {
  query: TaskQuery;
  assignees: readonly { id: string; name: string; isSelf: boolean }[];
}

const kindOptions = Object.entries(taskKinds)
  .map(([value, { label }]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label));
const severityOptions = taskSeverities.map((value) => ({ value, label: severityLabels[value] }));

/** Filters the list by a GET form: choosing one sends it, and without scripts its button does. */
export function TaskFilters({ query, assignees }: Props) {
  const { sort } = toTaskQuery(query);
  const people = assignees.map(({ id, name, isSelf }) => ({
    value: id,
    label: isSelf ? `${name} (you)` : name,
  }));
  const clear = adminPaths.tasks({ state: query.state === 'open' ? undefined : query.state });
  const filtered = query.q || query.kind || query.severity || query.assignee;
  return (
    <Form
      key={clear}
      action={adminPaths.tasks()}
      role="search"
      className="filter-line"
      preventScrollReset
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) event.currentTarget.requestSubmit();
      }}
    >
      {query.state !== 'open' && <input type="hidden" name="state" value={query.state} />}
      {sort && <input type="hidden" name="sort" value={sort} />}
      <SelectControl
        key={`kind ${query.kind}`}
        name="kind"
        aria-label="Kind"
        placeholder="All kinds"
        options={kindOptions}
        defaultValue={query.kind ?? ''}
      />
      <SelectControl
        key={`severity ${query.severity}`}
        name="severity"
        aria-label="Severity"
        placeholder="Any severity"
        options={severityOptions}
        defaultValue={query.severity ?? ''}
      />
      <SelectControl
        key={`assignee ${query.assignee}`}
        name="assignee"
        aria-label="Assignee"
        placeholder="Any assignee"
        options={[{ value: 'nobody', label: 'No one' }, ...people]}
        defaultValue={query.assignee ?? ''}
      />
      <SearchField
        key={`q ${query.q}`}
        label="Search subject"
        name="q"
        defaultValue={query.q}
        placeholder="Search subject"
        maxLength={200}
      />
      <Button type="submit" variant="outline">
        Search
      </Button>
      {filtered && (
        <Link className="link" to={clear} preventScrollReset>
          Clear
        </Link>
      )}
    </Form>
  );
}
