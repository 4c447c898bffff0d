import { Link } from 'react-router';
import type { ListingCard } from '#features/listings/model.ts';
import type { Role } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { CursorPagination } from '#ui/cursor-pagination.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ArrowLeft } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { MIN_COMPARED } from '../rules.ts';
import { CompareChoice } from './compare-choice.tsx';
import { PropertyGrid } from './property-grid.tsx';

interface Props {
  cards: readonly ListingCard[];
  /** cursor of the next, older page */
  before: string | null;
  /** true if this is not the newest page */
  older: boolean;
  /** whose page it is on */
  role: Role;
}

/** The watched properties; one that is unwatched stays until the page is reloaded. */
export function WatchedProperties({ cards, before, older, role }: Props) {
  const tab = 'watched';
  if (cards.length === 0)
    return (
      <EmptyState
        title="No watched properties"
        text="Select the bookmark on a property to follow its price and status."
        action={
          <ButtonLink to={paths.properties()} variant="outline">
            All Properties
          </ButtonLink>
        }
      />
    );
  return (
    <>
      <h2 className="vh">Watched Properties</h2>
      <div className="mb-6">
        <Link className="link link-arrow" to={paths.properties()}>
          <Icon of={ArrowLeft} size={16} />
          Back to Properties
        </Link>
      </div>
      {cards.length >= MIN_COMPARED && <CompareChoice cards={cards} role={role} />}
      <PropertyGrid cards={cards} watched={cards.map(({ id }) => id)} signedIn eager={4} />
      <CursorPagination
        older={before && paths.activity(role, { tab, before })}
        newest={older ? paths.activity(role, { tab }) : null}
      />
    </>
  );
}
