import type { ListingCard } from '#features/listings/model.ts';
import { PropertyGrid } from '#features/watches/components/property-grid.tsx';

interface Props {
  cards: readonly ListingCard[];
  watched: readonly string[];
  signedIn: boolean;
}

/** Listings like the one of the page; nothing where there are none. */
export function SimilarHomes({ cards, watched, signedIn }: Props) {
  if (cards.length === 0) return null;
  return (
    <section className="similar" aria-labelledby="similar">
      <h2 id="similar">Similar properties</h2>
      <PropertyGrid cards={cards} watched={watched} signedIn={signedIn} />
    </section>
  );
}
