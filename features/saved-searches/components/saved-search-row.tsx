import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { wholeDollars } from '#platform/money.ts';
import { feedPaths } from '#routing/feed-paths.ts';
import { paths } from '#routing/paths.ts';
import { ActionDialog } from '#ui/action-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pill } from '#ui/pill.tsx';
import { SelectControl } from '#ui/select-control.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { cadenceLabels, MAX_NAME_LENGTH, type SavedSearch, type SavedSearchMatch } from '../model.ts';
import { useSavedSearchForm } from './use-saved-search-form.ts';

const cadences = Object.entries(cadenceLabels).map(([value, label]) => ({ value, label }));

/** One saved search: criteria, matches and actions. */
export function SavedSearchRow({ search }: { search: SavedSearch }) {
  return (
    <li className="grid gap-4 border-line border-t py-5 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-2">
            <Link className="link wrap-anywhere" to={paths.properties(search.query)}>
              {search.name}
            </Link>
            <Pill count={search.newCount} label={`${search.newCount} new`} />
          </h2>
          {search.description !== search.name && <p className="hint wrap-anywhere">{search.description}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Cadence search={search} />
          {search.newCount > 0 && <Seen search={search} />}
          <a
            className="btn btn-ghost btn-sm"
            href={feedPaths.toSearch(search.id)}
            aria-label={`RSS feed of ${search.name}`}
          >
            RSS
          </a>
          <Rename search={search} />
          <Delete search={search} />
        </div>
      </div>
      {search.matches.length > 0 && (
        <ul aria-label={`Matches of ${search.name}`} className="grid gap-2">
          {search.matches.map((match) => (
            <Match key={match.propertyId} match={match} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Match({ match }: { match: SavedSearchMatch }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      <Link className="link" to={paths.property(match.propertyId)}>
        {match.address}
      </Link>
      <span className="hint">{match.town}</span>
      <span className="tabular-nums">{wholeDollars(match.totalCents)}</span>
      <span className="hint">
        <LocalTime of={match.matchedAt} />
      </span>
      {match.isNew && <Badge tone="info">New</Badge>}
    </li>
  );
}

interface FormProps {
  search: SavedSearch;
  intent: 'change' | 'seen';
  formState: ReturnType<typeof useSavedSearchForm>;
  className?: string;
  children?: ReactNode;
}

/** A form for one action on this search; without JavaScript it redirects back to the list. */
function SearchForm({ search, intent, formState, className, children }: FormProps) {
  return (
    <form
      method="post"
      action={paths.savedSearches()}
      onSubmit={formState.onSubmit}
      className={className}
      noValidate
    >
      <IntentField is={intent} />
      <input type="hidden" name="id" value={search.id} />
      {children}
    </form>
  );
}

function Cadence({ search }: { search: SavedSearch }) {
  const formState = useSavedSearchForm();
  return (
    <SearchForm search={search} intent="change" formState={formState} className="flex gap-2">
      <SelectControl
        key={search.cadence}
        name="cadence"
        aria-label={`When to notify about ${search.name}`}
        aria-busy={formState.busy || undefined}
        options={cadences}
        defaultValue={search.cadence}
        onChange={(event) =>
          event.currentTarget.form && formState.send(new FormData(event.currentTarget.form))
        }
      />
      <Button type="submit" variant="outline" size="sm" className="no-js">
        Change
      </Button>
    </SearchForm>
  );
}

function Seen({ search }: { search: SavedSearch }) {
  const formState = useSavedSearchForm();
  return (
    <SearchForm search={search} intent="seen" formState={formState}>
      <Button
        type="submit"
        variant="ghost"
        size="sm"
        busy={formState.busy}
        aria-label={`Mark ${search.name} as seen`}
      >
        Mark as seen
      </Button>
    </SearchForm>
  );
}

function Rename({ search }: { search: SavedSearch }) {
  const [open, setOpen] = useState(false);
  const formState = useSavedSearchForm(() => setOpen(false));
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="needs-js"
        aria-label={`Rename ${search.name}`}
        onClick={() => setOpen(true)}
      >
        Rename
      </Button>
      <ActionDialog
        open={open}
        onClose={formState.close}
        title="Rename saved search"
        confirmLabel="Rename"
        intent="change"
        action={paths.savedSearches()}
        fields={{ id: search.id }}
        pending={formState.busy}
        error={formState.errors?.name}
        onConfirm={formState.send}
        noValidate
      >
        {(error) => (
          <TextInput
            key={search.name}
            label="Name"
            name="name"
            required
            maxLength={MAX_NAME_LENGTH}
            defaultValue={search.name}
            error={error}
          />
        )}
      </ActionDialog>
    </>
  );
}

function Delete({ search }: { search: SavedSearch }) {
  const [open, setOpen] = useState(false);
  const formState = useSavedSearchForm(() => setOpen(false));
  return (
    <>
      <Button
        variant="ghost"
        size="sm"
        className="needs-js"
        aria-label={`Delete ${search.name}`}
        onClick={() => setOpen(true)}
      >
        Delete
      </Button>
      <ActionDialog
        open={open}
        onClose={formState.close}
        danger
        title="Delete saved search"
        text={`“${search.name}” and its matches will be deleted. You will no longer be notified about new properties for it.`}
        confirmLabel="Delete saved search"
        intent="delete"
        action={paths.savedSearches()}
        fields={{ id: search.id }}
        pending={formState.busy}
        error={formState.refused}
        onConfirm={formState.send}
      />
    </>
  );
}
