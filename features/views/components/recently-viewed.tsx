import { wholeDollars } from '#platform/money.ts';
import './recently-viewed.css';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { statusLabel, statusTone } from '#features/listings/display.ts';
import type { ListingCard } from '#features/listings/model.ts';
import { paths } from '#routing/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

const SIZES = '(width >= 1200px) 237px, (width >= 960px) 33vw, (width >= 600px) 50vw, 120px';
const IN_FIRST_VIEW = 5;

interface Props {
  views: readonly { card: ListingCard; viewedAt: string }[];
}

/** The recently viewed properties, newest first: picture, address, price and time. */
export function RecentlyViewed({ views }: Props) {
  if (views.length === 0)
    return (
      <EmptyState
        title="No recently viewed properties"
        text="Properties you open appear here."
        action={
          <ButtonLink to={paths.properties()} variant="outline">
            All Properties
          </ButtonLink>
        }
      />
    );
  return (
    <ul className="seen-list">
      {views.map(({ card, viewedAt }, at) => (
        <li key={card.id} className="seen">
          <div className="pic">
            <ListingPictureView
              listingId={card.id}
              type={card.type}
              picture={card.picture}
              sizes={SIZES}
              eager={at < IN_FIRST_VIEW}
            />
          </div>
          <div className="seen-words">
            <p className="seen-price">
              {wholeDollars(card.totalCents)}
              {card.status !== 'Active' && (
                <Badge tone={statusTone(card.status)}>{statusLabel[card.status]}</Badge>
              )}
            </p>
            <h2>
              <Link to={paths.property(card.id)}>{card.address}</Link>
            </h2>
            <p className="town">{card.town}</p>
            <p className="seen-when">
              Viewed <TimeAgo of={viewedAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}
