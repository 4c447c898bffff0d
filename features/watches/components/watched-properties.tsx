import { paths } from '#app/paths.ts';
import type { ListingCard } from '#features/listings/model.ts';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { OlderLinks } from '#ui/older-links.tsx';
import { PropertyGrid } from './property-grid.tsx';

interface Props {
  cards: readonly ListingCard[];
  /** where the next, older page begins */
  before: string | null;
  /** true when the newest are not shown */
  older: boolean;
}

/** The cards of what somebody watches; one that is no longer watched stays until the page is read again (S0 §2). */
export function WatchedProperties({ cards, before, older }: Props) {
  const tab = 'watched';
  if (cards.length === 0)
    return (
      <EmptyState
        title="No watched properties"
        text="Press the bookmark on a property to follow its price and status."
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
      <PropertyGrid cards={cards} watched={cards.map(({ id }) => id)} signedIn eager={4} />
      <OlderLinks
        older={before && paths.buyerActivity({ tab, before })}
        newest={older ? paths.buyerActivity({ tab }) : null}
      />
    </>
  );
}
