import { wholeDollars } from '#platform/money.ts';
import { paths } from '#routing/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { cardFacts, statusLabel, statusTone } from '../display.ts';
import type { ListingCard } from '../model.ts';
import { ListingPictureView } from './listing-picture.tsx';

interface Props {
  card: ListingCard;
  watched: boolean;
  /** large variant, for the first card of Featured Properties */
  lead?: boolean;
  eager?: boolean;
  priority?: boolean;
}

const CARD_SIZES = '(width >= 1200px) 302px, (width >= 960px) 33vw, (width >= 600px) 50vw, 100vw';
const LEAD_SIZES = '(width >= 960px) 628px, 100vw';

/**
 * One property in a grid. Links and the watch form are plain HTML; the surrounding grid intercepts them to stay on
 * the page.
 */
export function PropertyCard({ card, watched, lead, eager, priority }: Props) {
  const href = paths.property(card.id);
  return (
    <article className={lead ? 'pcard pcard-lead' : 'pcard'}>
      <div className="pic">
        <ListingPictureView
          listingId={card.id}
          type={card.type}
          picture={card.picture}
          sizes={lead ? LEAD_SIZES : CARD_SIZES}
          eager={eager}
          priority={priority}
        />
      </div>
      <form method="post" action={paths.watch(card.id)}>
        <button
          type="submit"
          className="watch"
          name="watched"
          value={watched ? '0' : '1'}
          aria-pressed={watched}
          aria-label={`Watch ${card.address}`}
        />
      </form>
      <div className="body">
        <div className="top">
          <p className="price">{wholeDollars(card.totalCents)}</p>
          {card.status !== 'Active' && (
            <Badge tone={statusTone(card.status)}>{statusLabel[card.status]}</Badge>
          )}
          <span className="kind">{card.type}</span>
        </div>
        {card.totalCents > card.baseCents && (
          <p className="baseline">{`Base price ${wholeDollars(card.baseCents)}`}</p>
        )}
        <h3>
          <a href={href}>{card.address}</a>
        </h3>
        <p className="town">{card.town}</p>
        <div className="foot">
          <p className="facts">
            {cardFacts(card).map((fact) => (
              <span key={fact}>{fact}</span>
            ))}
          </p>
          {/* The address is the same link; one stop of the keyboard is enough. */}
          <a className="more" href={href} tabIndex={-1} aria-label={`View Details of ${card.address}`}>
            View Details
          </a>
        </div>
      </div>
    </article>
  );
}
