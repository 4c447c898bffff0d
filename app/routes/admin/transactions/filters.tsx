import { type ReactNode, useEffect, useState } from 'react';
import { Form, Link, useSubmit } from 'react-router';
import { paidByLabels } from '#features/sales/rules.ts';
import { isNarrowed, listParams } from '#features/transactions/filters.ts';
import {
  listStatuses,
  paidByKinds,
  saleModes,
  type TransactionList,
  type TransactionQuery,
} from '#features/transactions/model.ts';
import { listStatusLabels, saleModeLabels } from '#features/transactions/rules.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Button } from '#ui/button.tsx';
import { Select } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';

const optionsOf = <Value extends string>(values: readonly Value[], labels: Record<Value, string>) =>
  values.map((value) => ({ value, label: labels[value] }));

const statuses = optionsOf(listStatuses, listStatusLabels);
const methods = optionsOf(paidByKinds, paidByLabels);
const modes = optionsOf(saleModes, saleModeLabels);

/** Narrows the list, as a GET form; without scripts the button sends it. */
export function TransactionFilterForm({
  query,
  list,
  children,
}: {
  query: TransactionQuery;
  list: TransactionList | null;
  /** what else can be done with the list */
  children: ReactNode;
}) {
  const submit = useSubmit();
  const { q, from, to, zone, paid, status, method, seller, buyer, mode } = query;
  const { sort } = listParams(query);
  const send = ({ currentTarget: { form } }: { currentTarget: { form: HTMLFormElement | null } }) =>
    void submit(form, { preventScrollReset: true });
  return (
    <Form
      // What another link says is shown at once.
      key={JSON.stringify({ ...listParams(query), sort: undefined })}
      action={adminPaths.transactions()}
      role="search"
      aria-label="Transactions"
      className="transaction-filters"
      preventScrollReset
    >
      {sort && <input type="hidden" name="sort" value={sort} />}
      {zone && <input type="hidden" name="zone" value={zone} />}
      {buyer && <input type="hidden" name="buyer" value={buyer} />}
      {paid && <input type="hidden" name="paid" value="1" />}
      <TextInput
        type="search"
        enterKeyHint="search"
        label="Search property or seller"
        name="q"
        defaultValue={q}
        maxLength={200}
        autoComplete="off"
      />
      <Select
        label="Status"
        name="status"
        placeholder="All statuses"
        options={statuses}
        defaultValue={status ?? ''}
        onChange={send}
      />
      <Select
        label="Payment Method"
        name="method"
        placeholder="All methods"
        options={methods}
        defaultValue={method ?? ''}
        onChange={send}
      />
      <Select
        label="Mode"
        name="mode"
        placeholder="Live and test"
        options={modes}
        defaultValue={mode ?? ''}
        onChange={send}
      />
      <SellerChoice shown={list?.seller?.email ?? seller} />
      <TextInput label={`From (${zoneName(zone)})`} name="from" type="date" defaultValue={from} />
      <TextInput label={`To (${zoneName(zone)})`} name="to" type="date" defaultValue={to} />
      <div className="transaction-filters-acts">
        <Button type="submit" variant="outline">
          Search
        </Button>
        {isNarrowed(query) && (
          <Link className="link" to={adminPaths.transactions({ sort })} preventScrollReset>
            Clear
          </Link>
        )}
        {list && (
          <span className="count-line">
            {countText(list.total)} {paid && 'paid or refunded '}
            {list.total.count === 1 ? 'transaction' : 'transactions'}
            {list.seller && ` of ${list.seller.name}`}
            {list.buyer && ` by ${list.buyer}`}
          </span>
        )}
        {list && seller && !list.seller && <span className="count-line">There is no such seller.</span>}
        {list && buyer && !list.buyer && <span className="count-line">There is no such buyer.</span>}
        {children}
      </div>
    </Form>
  );
}

const zoneName = (zone: string) => zone.replaceAll('_', ' ') || 'UTC';

const PAUSE_MS = 200;
/** Fewer letters suggest nothing. */
const MIN_LETTERS = 2;

/** A seller by email address, with those that match suggested while it is typed. */
function SellerChoice({ shown }: { shown: string }) {
  const [typed, setTyped] = useState('');
  const [sellers, setSellers] = useState<readonly { email: string; name: string }[]>([]);
  useEffect(() => {
    if (typed.trim().length < MIN_LETTERS) return setSellers([]);
    const abort = new AbortController();
    const timer = setTimeout(() => {
      fetchSellers(typed, abort.signal).then(setSellers, () => {
        // Suggestions are a help; the address can be typed without them.
        if (!abort.signal.aborted) setSellers([]);
      });
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [typed]);
  return (
    <>
      <TextInput
        label="Seller"
        name="seller"
        defaultValue={shown}
        placeholder="Email address"
        list="transaction-sellers"
        maxLength={200}
        autoComplete="off"
        onInput={({ currentTarget: { value } }) => setTyped(value)}
      />
      <datalist id="transaction-sellers">
        {sellers.map(({ email, name }) => (
          <option key={email} value={email}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  );
}

async function fetchSellers(q: string, signal: AbortSignal) {
  const response = await fetch(adminPaths.sellerChoices(q), {
    headers: { accept: 'application/json' },
    signal,
  });
  if (!response.ok) throw new Error(`Sellers could not be read: ${response.status}`);
  const { sellers } = (await response.json()) as { sellers: { email: string; name: string }[] };
  return sellers;
}
