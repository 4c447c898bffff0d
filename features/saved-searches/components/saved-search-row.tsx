import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router';
import { paths } from '#app/paths.ts';
import { wholeDollars } from '#features/listings/rules.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Pill } from '#ui/pill.tsx';
import { SelectControl } from '#ui/select.tsx';
import { TextInput } from '#ui/text-input.tsx';
import { cadenceLabels, MOST_NAME, type SavedSearch, type SavedSearchMatch } from '../model.ts';
import { useAnswer } from './use-answer.ts';

const cadences = Object.entries(cadenceLabels).map(([value, label]) => ({ value, label }));

/** One saved search: what it asks for, what it found, and what can be done with it. */
export function SavedSearchRow({ search }: { search: SavedSearch }) {
  return (
    <li className="grid gap-4 border-line border-t py-5 first:border-t-0 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h3 className="flex flex-wrap items-center gap-2">
            <Link className="link wrap-anywhere" to={paths.properties(search.query)}>
              {search.name}
            </Link>
            <Pill count={search.newCount} label={`${search.newCount} new`} />
          </h3>
          {search.description !== search.name && <p className="hint wrap-anywhere">{search.description}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-2">
          <Cadence search={search} />
          {search.newCount > 0 && <Seen search={search} />}
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
  wish: 'change' | 'delete' | 'seen';
  answer: ReturnType<typeof useAnswer>;
  id?: string;
  className?: string;
  children?: ReactNode;
}

/** A form of this search; without scripts it leads back to the list. */
function SearchForm({ search, wish, answer, id, className, children }: FormProps) {
  return (
    <form
      id={id}
      method="post"
      action={paths.savedSearches()}
      onSubmit={answer.onSubmit}
      className={className}
      noValidate
    >
      <input type="hidden" name="form" value={wish} />
      <input type="hidden" name="id" value={search.id} />
      {children}
    </form>
  );
}

function Cadence({ search }: { search: SavedSearch }) {
  const answer = useAnswer();
  return (
    <SearchForm search={search} wish="change" answer={answer} className="flex gap-2">
      <SelectControl
        key={search.cadence}
        name="cadence"
        aria-label={`When to tell of ${search.name}`}
        aria-busy={answer.busy || undefined}
        options={cadences}
        defaultValue={search.cadence}
        onChange={(event) => event.currentTarget.form && answer.send(event.currentTarget.form)}
      />
      <Button type="submit" variant="outline" size="sm" className="no-js">
        Change
      </Button>
    </SearchForm>
  );
}

function Seen({ search }: { search: SavedSearch }) {
  const answer = useAnswer();
  return (
    <SearchForm search={search} wish="seen" answer={answer}>
      <Button
        type="submit"
        variant="ghost"
        size="sm"
        busy={answer.busy}
        aria-label={`Mark ${search.name} as seen`}
      >
        Mark as seen
      </Button>
    </SearchForm>
  );
}

function Rename({ search }: { search: SavedSearch }) {
  const [open, setOpen] = useState(false);
  const form = useId();
  const close = () => setOpen(false);
  const answer = useAnswer(close);
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
      <Dialog
        open={open}
        onClose={close}
        title="Rename saved search"
        locked={answer.busy}
        actions={
          <>
            <Button variant="outline" onClick={close} disabled={answer.busy}>
              Cancel
            </Button>
            <Button type="submit" form={form} busy={answer.busy}>
              Rename
            </Button>
          </>
        }
      >
        <SearchForm search={search} wish="change" answer={answer} id={form}>
          <TextInput
            key={search.name}
            label="Name"
            name="name"
            required
            maxLength={MOST_NAME}
            defaultValue={search.name}
            error={answer.errors?.name}
          />
        </SearchForm>
      </Dialog>
    </>
  );
}

function Delete({ search }: { search: SavedSearch }) {
  const [open, setOpen] = useState(false);
  const form = useId();
  const close = () => setOpen(false);
  const answer = useAnswer(close);
  return (
    <>
      <SearchForm search={search} wish="delete" answer={answer} id={form} />
      <Button
        variant="ghost"
        size="sm"
        className="needs-js"
        aria-label={`Delete ${search.name}`}
        onClick={() => setOpen(true)}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={open}
        onClose={close}
        danger
        title="Delete saved search"
        text={`“${search.name}” and what it found will be gone. You will hear of no more properties for it.`}
        confirmLabel="Delete saved search"
        busy={answer.busy}
        form={form}
      />
    </>
  );
}
