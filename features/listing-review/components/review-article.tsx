import './all-listings.css';
import './review-article.css';
import { Copy } from 'lucide-react';
import { type ReactNode, type Ref, useId } from 'react';
import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { bathCount, formatSquareFeet, statusLabel, statusTone } from '#features/listings/display.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import { Icon } from '#ui/icon.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { Duplicate, ReviewSubject } from '../model.ts';
import { ChangeTable } from './change-table.tsx';

interface Props {
  subject: ReviewSubject;
  /** where it is */
  map: ReactNode;
  /** who owns it, as far as that was proved */
  ownership: ReactNode;
  /** the page with the details of another listing open beside this one */
  detailsHref: (id: string) => string;
  ref: Ref<HTMLElement>;
  /** the form that decides, or what became of it */
  children: ReactNode;
}

/** Everything that a reviewer needs of one listing, and the decision below it. */
export function ReviewArticle({ subject, map, ownership, detailsHref, ref, children }: Props) {
  const { record, duplicates, changes, photoChanges, approved } = subject;
  const id = useId();
  return (
    <article className="review" aria-labelledby={id} ref={ref} tabIndex={-1}>
      <Head subject={subject} id={id} />
      {duplicates.length > 0 && (
        <section className="review-part" aria-label="Possible duplicates">
          {duplicates.map((one) => (
            <DuplicateLine key={one.id} of={one} href={detailsHref(one.id)} />
          ))}
        </section>
      )}
      <Photos record={record} />
      {approved && record.changedSinceApprovalAt && (
        <Part
          title="Changed since approval"
          note={
            <>
              Approved <LocalTime of={approved.at} as="date" />
              {approved.by && ` by ${approved.by}`}
            </>
          }
        >
          {changes.length > 0 || photoChanges ? (
            <ChangeTable changes={changes} photos={photoChanges} of={record} />
          ) : (
            <p className="record-words">Everything is as it was approved again.</p>
          )}
        </Part>
      )}
      <Part title="Description">
        {record.title && <p className="record-words font-medium">{record.title}</p>}
        <p className="record-words">{record.description || 'No description provided.'}</p>
      </Part>
      <Part title="Facts">
        <Facts record={record} />
      </Part>
      <Part title="Ownership">{ownership}</Part>
      <div className="review-part review-two">
        <section aria-labelledby={`${id}-map`}>
          <h3 id={`${id}-map`}>Place on the map</h3>
          {map}
        </section>
        <SellerPart subject={subject} />
      </div>
      {children}
    </article>
  );
}

function Part({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className="review-part" aria-labelledby={id}>
      <h3>
        <span id={id}>{title}</span>
        {note && <small>{note}</small>}
      </h3>
      {children}
    </section>
  );
}

function Head({ subject: { record, earlierReviews }, id }: { subject: ReviewSubject; id: string }) {
  const since = record.status === 'Active' ? record.changedSinceApprovalAt : record.submittedAt;
  return (
    <header className="review-head">
      <div className="min-w-0">
        <h2 id={id}>{record.address}</h2>
        <p>
          {record.town} · {record.type}
        </p>
        <div className="badges">
          <Badge tone={statusTone(record.status)}>{statusLabel[record.status]}</Badge>
          {record.changedSinceApprovalAt && <Badge tone="info">Changed since approval</Badge>}
          {earlierReviews > 0 && (
            <Badge tone="mute">
              {earlierReviews === 1 ? 'Second review' : `Sent back ${earlierReviews} times`}
            </Badge>
          )}
        </div>
      </div>
      <p className="amount">
        {dollarsAndCents(record.priceCents)}
        <small>
          {record.status === 'Active' ? 'Changed' : 'Submitted'}{' '}
          <LocalTime of={since ?? record.submittedAt} />
        </small>
      </p>
    </header>
  );
}

function DuplicateLine({ of, href }: { of: Duplicate; href: string }) {
  const alike = [
    of.sameAddress && 'Same address',
    of.samePhotos > 0 &&
      (of.samePhotos === 1 ? '1 photo is the same' : `${of.samePhotos} photos are the same`),
  ].filter(Boolean);
  return (
    <div className="duplicate">
      <Icon of={Copy} />
      <div>
        <b>Possible duplicate of {of.address}</b>
        <p>
          {alike.join(', ')}. Listed by {of.sameSeller ? 'the same seller' : of.sellerName},{' '}
          {statusLabel[of.status]} at {dollarsAndCents(of.priceCents)}.
        </p>
      </div>
      <Link className="link" to={href} preventScrollReset>
        Compare<span className="vh"> with {of.address}</span>
      </Link>
    </div>
  );
}

function Photos({ record: { id, type, pictures } }: Pick<ReviewSubject, 'record'>) {
  const largest = pictures.reduce(
    (most, { width, height }) => (width * height > most[0] * most[1] ? ([width, height] as const) : most),
    [0, 0] as readonly [number, number],
  );
  const count = pictures.length === 1 ? '1 photo' : `${pictures.length} photos`;
  return (
    <Part title="Photos" note={pictures.length > 0 && `${count}, largest ${largest[0]} × ${largest[1]}`}>
      {pictures.length === 0 ? (
        <p className="record-words">No photos. A drawing is shown in their place.</p>
      ) : (
        <div className="record-photos">
          {pictures.map((picture, at) => (
            <figure key={picture.id}>
              <ListingPictureView listingId={id} type={type} picture={picture} sizes="170px" />
              <figcaption>{picture.caption || (at === 0 ? 'Main image' : '')}</figcaption>
            </figure>
          ))}
        </div>
      )}
    </Part>
  );
}

function Facts({ record }: Pick<ReviewSubject, 'record'>) {
  const facts: [string, ReactNode][] = [
    ['Bedrooms', record.bedrooms],
    ['Bathrooms', bathCount(record) || null],
    ['Square feet', record.squareFeet && formatSquareFeet(record.squareFeet)],
    ['Lot size', record.lotSquareFeet && `${formatSquareFeet(record.lotSquareFeet)} sqft`],
    ['Year built', record.yearBuilt],
    ['Neighborhood', record.neighborhood],
    ['MLS number', record.mlsNumber],
    ['Amenities', record.amenities.join(', ') || null],
  ];
  return (
    <dl className="review-facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

function SellerPart({ subject: { record, seller } }: { subject: ReviewSubject }) {
  const id = useId();
  const facts: [string, ReactNode][] = [
    ['Listings approved', `${seller.approvedListings} of ${seller.allListings}`],
    ['Sales closed', seller.closedSales],
    ['Commission rate', seller.commissionRate === null ? 'Standard' : `${seller.commissionRate.toFixed(1)}%`],
    ['Changes requested', seller.sentBack],
    ['Seller since', <LocalTime key="since" of={seller.since} as="date" />],
  ];
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>Seller</h3>
      <div className="review-who">
        <Avatar name={record.seller.name} />
        <span>
          <b>{record.seller.name}</b>
          <small>{record.seller.email}</small>
        </span>
      </div>
      <dl className="review-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
