import { Form, Link } from 'react-router';
import { type HistoryFilters, historyQuery, SYSTEM } from '#features/audit/history-filters.ts';
import { actionInWords, recordInWords } from '#features/audit/labels.ts';
import { actionWords, recordWords } from '#features/audit/words.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/select.tsx';
import type { Option } from '#ui/select-control.tsx';
import { TextInput } from '#ui/text-input.tsx';

const byLabel = (one: Option, other: Option) => one.label.localeCompare(other.label);
const actions = Object.keys(actionWords)
  .map((value) => ({ value, label: actionInWords(value) }))
  .sort(byLabel);
const records = Object.keys(recordWords)
  .map((value) => ({ value, label: recordInWords(value) }))
  .sort(byLabel);

/** One that a link has, and the list does not, is still shown. */
const withChosen = (options: Option[], value: string, label: string): Option[] =>
  value && !options.some((option) => option.value === value) ? [...options, { value, label }] : options;

/** Filters the history by a GET form, so that the result has a URL and needs no scripts. */
export function HistoryFilterForm({ filters }: { filters: HistoryFilters }) {
  const { who, action, record, recordId, from, to } = filters;
  const query = historyQuery(filters);
  const filtered = Object.values(query).some((value) => value !== undefined);
  return (
    <Form
      key={JSON.stringify(query)}
      action={adminPaths.history()}
      role="search"
      className="history-filters"
      preventScrollReset
    >
      <TextInput
        label="Who"
        name="who"
        defaultValue={who}
        placeholder="Email, or system"
        list="history-who"
        autoComplete="off"
        maxLength={200}
      />
      <datalist id="history-who">
        <option value={SYSTEM} />
      </datalist>
      <Select
        label="What"
        name="action"
        placeholder="Anything"
        options={withChosen(actions, action, actionInWords(action))}
        defaultValue={action}
      />
      <Select
        label="Record"
        name="record"
        placeholder="Any record"
        options={withChosen(records, record, recordInWords(record))}
        defaultValue={record}
      />
      <TextInput label="Record id" name="id" defaultValue={recordId} autoComplete="off" maxLength={200} />
      <TextInput label="From" name="from" type="date" defaultValue={from} />
      <TextInput label="To" name="to" type="date" defaultValue={to} />
      <div className="flex items-center gap-4">
        <Button type="submit" variant="outline">
          Search
        </Button>
        {filtered && (
          <Link className="link" to={adminPaths.history()} preventScrollReset>
            Clear
          </Link>
        )}
      </div>
    </Form>
  );
}
