import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { ListingCard } from '#features/listings/model.ts';
import type { Role } from '#platform/context.ts';
import { wholeDollars } from '#platform/money.ts';
import { searchPaths } from '#routing/search-paths.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { MAX_COMPARED, MIN_COMPARED } from '../rules.ts';

/** Chooses two to four watched properties to see side by side. */
export function CompareChoice({ cards, role }: { cards: readonly ListingCard[]; role: Role }) {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [refused, setRefused] = useState(false);
  const full = chosen.length >= MAX_COMPARED;
  const tooFew = refused && chosen.length < MIN_COMPARED;

  function compare(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (chosen.length < MIN_COMPARED) {
      setRefused(true);
      return event.currentTarget.querySelector('input')?.focus();
    }
    void navigate(searchPaths.compare(role, chosen));
  }

  return (
    <details className="compare-choice">
      <summary className="btn btn-outline">Compare properties</summary>
      <form method="get" action={searchPaths.compare(role)} onSubmit={compare}>
        <fieldset aria-describedby="compare-note">
          <legend className="flabel">Choose two to four properties</legend>
          {cards.map(({ id, address, town, totalCents }) => (
            <Checkbox
              key={id}
              name="property"
              value={id}
              label={address}
              hint={`${wholeDollars(totalCents)} · ${town}`}
              disabled={full && !chosen.includes(id)}
              onChange={({ currentTarget: { checked } }) =>
                setChosen((all) => (checked ? [...all, id] : all.filter((one) => one !== id)))
              }
            />
          ))}
        </fieldset>
        <p id="compare-note" className={tooFew ? 'compare-note refused' : 'compare-note'} role="status">
          {tooFew
            ? 'Choose at least two properties to compare.'
            : full
              ? 'Four properties are chosen, the most that can be compared.'
              : null}
        </p>
        <Button type="submit">Compare</Button>
      </form>
    </details>
  );
}
