import { Link } from 'react-router';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { dollarsAndCents } from '#platform/money.ts';
import { Badge } from '#ui/badge.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import { classNames } from '#ui/class-names.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { Pagination } from '#ui/pagination.tsx';
import type { ReviewQueue, SelectedListing, WaitingListing } from '../model.ts';

/** The form that approves what is selected, which the boxes belong to wherever they are. */
export const SELECTION_FORM = 'approve-selected';

/** A listing and its version as the form sends them. */
export const selectionValue = ({ propertyId, version }: SelectedListing): string =>
  `${propertyId} ${version}`;

interface Props {
  queue: ReviewQueue;
  current: string | null;
  selected: ReadonlySet<string>;
  onSelect: (ids: readonly string[], on: boolean) => void;
  hrefOf: (place: { listing?: string; page?: number }) => string;
}

/** What waits for an administrator, newest first, with a box for each and one for all. */
export function WaitingList({
  queue: { rows, total, page, pages },
  current,
  selected,
  onSelect,
  hrefOf,
}: Props) {
  const ids = rows.map(({ id }) => id);
  const chosen = ids.filter((id) => selected.has(id)).length;
  return (
    <div className="desk-list">
      <div className="desk-head">
        <Checkbox
          className="needs-js"
          label="Select all"
          checked={chosen > 0 && chosen === ids.length}
          indeterminate={chosen > 0 && chosen < ids.length}
          onChange={({ currentTarget }) => onSelect(ids, currentTarget.checked)}
        />
        <span>Newest first</span>
      </div>
      <ul aria-label="Properties waiting for approval">
        {rows.map((row) => (
          <Waiting
            key={row.id}
            row={row}
            isCurrent={row.id === current}
            isSelected={selected.has(row.id)}
            onSelect={(on) => onSelect([row.id], on)}
            href={hrefOf({ listing: row.id })}
          />
        ))}
      </ul>
      <Pagination
        page={page}
        pages={pages}
        href={(to) => hrefOf({ page: to })}
        keepsScroll
        rows={total.count}
      />
    </div>
  );
}

interface WaitingProps {
  row: WaitingListing;
  isCurrent: boolean;
  isSelected: boolean;
  onSelect: (on: boolean) => void;
  href: string;
}

function Waiting({ row, isCurrent, isSelected, onSelect, href }: WaitingProps) {
  const { id, address, sellerName, waitingSince, priceCents, changed, duplicate, version } = row;
  return (
    <li className={classNames('waiting', isCurrent && 'is-current', isSelected && 'is-selected')}>
      <Checkbox
        aria-label={`Select ${address}`}
        name="selected"
        value={selectionValue({ propertyId: id, version })}
        form={SELECTION_FORM}
        checked={isSelected}
        onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
      />
      <Link to={href} aria-current={isCurrent ? 'true' : undefined} preventScrollReset>
        <ListingPictureView
          listingId={id}
          type={row.type}
          picture={row.picture && { ...row.picture, alt: '' }}
          sizes="60px"
        />
        <span>
          <b>{address}</b>
          <small>
            {sellerName} · <LocalTime of={waitingSince} as="date" />
          </small>
          <span className="money">{dollarsAndCents(priceCents)}</span>
          {(duplicate || changed) && (
            <span className="badges">
              {duplicate && <Badge tone="warn">Possible duplicate</Badge>}
              {changed && <Badge tone="info">Changed since approval</Badge>}
            </span>
          )}
        </span>
      </Link>
    </li>
  );
}
