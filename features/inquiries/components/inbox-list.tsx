import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { Badge } from '#ui/badge.tsx';
import { classNames } from '#ui/class-names.ts';
import { ImageOff } from '#ui/detail-glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { type Inbox, type InboxPlace, type InboxRow, PROPERTY_GONE } from '../model.ts';
import { inboxHref, threadHref } from './inbox-href.ts';

const WORDS = { pending: 'Pending', resolved: 'Resolved' };

/** One's conversations, newest first; the open one is marked, and where something is unread the text is bold. */
export function InboxList({ inbox, place }: { inbox: Inbox; place: InboxPlace }) {
  return (
    <nav className="inbox-list" aria-label="Inquiries">
      <ul>
        {inbox.rows.map((row) => (
          <li key={row.id}>
            <Row row={row} place={place} />
          </li>
        ))}
      </ul>
      {(place.before || inbox.before) && (
        <p className="inbox-more">
          {place.before && (
            <Link className="link" to={inboxHref(place, { before: null, asked: null })} preventScrollReset>
              Newest inquiries
            </Link>
          )}
          {inbox.before && (
            <Link
              className="link"
              to={inboxHref(place, { before: inbox.before, asked: null })}
              preventScrollReset
            >
              Older inquiries
            </Link>
          )}
        </p>
      )}
    </nav>
  );
}

function Row({ row, place }: { row: InboxRow; place: InboxPlace }) {
  const { property } = row;
  const open = row.id === place.inquiry;
  return (
    <Link
      className={classNames('inq', row.unread > 0 && 'inq-unread')}
      to={threadHref(place, row.id)}
      preventScrollReset
      aria-current={open ? 'true' : undefined}
    >
      {property ? (
        <ListingPictureView
          listingId={property.id}
          type={property.type}
          address={property.address}
          picture={property.picture}
          sizes="72px"
          eager
        />
      ) : (
        <span className="gone">
          <Icon of={ImageOff} />
        </span>
      )}
      <span className="inq-words">
        <span className="inq-top">
          <b>{property?.address ?? PROPERTY_GONE}</b>
          <TimeAgo of={row.at} />
        </span>
        {place.side === 'seller' && <span className="inq-who">{row.other.name}</span>}
        <span className="inq-text">
          {row.newestIsMine && <span className="subtle">You: </span>}
          {row.newest}
        </span>
        <Badge tone={row.label === 'resolved' ? 'ok' : 'warn'}>{WORDS[row.label]}</Badge>
        {row.unread > 0 && <span className="vh">{`${row.unread} unread`}</span>}
      </span>
    </Link>
  );
}
