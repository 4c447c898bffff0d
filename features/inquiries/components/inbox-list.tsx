import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { classNames } from '#ui/class-names.ts';
import { ImageOff } from '#ui/detail-glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { type Inbox, type InboxRow, type InboxUrlState, PROPERTY_GONE } from '../model.ts';
import { inboxHref, threadHref } from './inbox-href.ts';
import { InquiryLabelBadge } from './inquiry-label-badge.tsx';

/** The list of conversations, newest first; the open one is marked, unread ones are bold. */
export function InboxList({ inbox, urlState }: { inbox: Inbox; urlState: InboxUrlState }) {
  return (
    <nav className="inbox-list" aria-label="Inquiries">
      <ul>
        {inbox.rows.map((row) => (
          <li key={row.id}>
            <Row row={row} urlState={urlState} />
          </li>
        ))}
      </ul>
      {(urlState.before || inbox.before) && (
        <p className="inbox-more">
          {urlState.before && (
            <Link
              className="link"
              to={inboxHref(urlState, { before: null, openDialog: null })}
              preventScrollReset
            >
              Newest inquiries
            </Link>
          )}
          {inbox.before && (
            <Link
              className="link"
              to={inboxHref(urlState, { before: inbox.before, openDialog: null })}
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

function Row({ row, urlState }: { row: InboxRow; urlState: InboxUrlState }) {
  const { property } = row;
  const open = row.id === urlState.inquiry;
  return (
    <Link
      className={classNames('inq', row.unread > 0 && 'inq-unread')}
      to={threadHref(urlState, row.id)}
      preventScrollReset
      aria-current={open ? 'true' : undefined}
    >
      {property ? (
        <ListingPictureView
          listingId={property.id}
          type={property.type}
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
        {urlState.side === 'seller' && <span className="inq-who">{row.other.name}</span>}
        <span className="inq-text">
          {row.newestIsMine && <span className="subtle">You: </span>}
          {row.newest}
        </span>
        <InquiryLabelBadge label={row.label} />
        {row.unread > 0 && <span className="vh">{`${row.unread} unread`}</span>}
      </span>
    </Link>
  );
}
