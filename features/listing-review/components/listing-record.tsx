import { formatCount } from '#platform/format-count.ts';
import './all-listings.css';
import type { ReactNode } from 'react';
import { ListingPictureView } from '#features/listings/components/listing-picture.tsx';
import { bathCount, formatSquareFeet, statusLabel, statusTone } from '#features/listings/display.ts';
import { escrowLabel, paymentLabel, paymentMethodNames } from '#features/sales/rules.ts';
import { dollarsAndCents, wholeDollars } from '#platform/money.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { paths } from '#routing/paths.ts';
import { Badge } from '#ui/badge.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { DrawerFacts, DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { ListingRecord } from '../listing-record.ts';

/**
 * What a drawer shows of a listing: facts, photos, text, sale and history, with links to its public page and its form.
 * `history` is its `RecordHistory`.
 */
export function listingDrawer(record: ListingRecord, history: ReactNode) {
  return {
    title: record.address,
    text: `${record.town} · ${record.type}`,
    picture: (
      <ListingPictureView
        listingId={record.id}
        type={record.type}
        picture={record.pictures[0] ? { ...record.pictures[0], alt: '' } : null}
        sizes="84px"
      />
    ),
    actions: (
      <>
        <ButtonLink to={adminPaths.editProperty(record.id)}>Edit</ButtonLink>
        <ButtonLink variant="outline" to={adminPaths.propertyDocuments(record.id)}>
          Documents
        </ButtonLink>
        {record.hasPublicPage && (
          <ButtonLink variant="outline" to={paths.property(record.id)}>
            View public page
          </ButtonLink>
        )}
      </>
    ),
    children: (
      <>
        <Facts record={record} />
        <Photos record={record} />
        <DrawerSection title="Description">
          <p className="record-words">{record.description || 'No description provided.'}</p>
        </DrawerSection>
        <Sale sale={record.sale} />
        <DrawerSection>{history}</DrawerSection>
      </>
    ),
  };
}

function Facts({ record }: { record: ListingRecord }) {
  const { status, reviewNote, seller } = record;
  return (
    <>
      <DrawerSection title="Facts">
        <DrawerFacts
          facts={[
            [
              'Status',
              <Badge key="status" tone={statusTone(status)}>
                {statusLabel[status]}
              </Badge>,
            ],
            ['Base price', wholeDollars(record.priceCents)],
            ['Seller', seller.suspended ? `${seller.name} (suspended)` : seller.name],
            ['Seller’s email', seller.email],
            ['Bedrooms', record.bedrooms],
            ['Bathrooms', bathCount(record) || null],
            ['Square feet', record.squareFeet && formatSquareFeet(record.squareFeet)],
            ['Lot size', record.lotSquareFeet && `${formatSquareFeet(record.lotSquareFeet)} sqft`],
            ['Year built', record.yearBuilt],
            ['Neighborhood', record.neighborhood],
            ['MLS number', record.mlsNumber],
            ['Days listed', formatCount(record.days)],
            ['Views', formatCount(record.views)],
            ['Featured', record.featured ? 'Yes' : 'No'],
            ['Created', <LocalTime key="created" of={record.createdAt} as="date" />],
            ['Approved', record.listedAt && <LocalTime key="listed" of={record.listedAt} as="date" />],
            [
              'Changed since approval',
              record.changedSinceApprovalAt && (
                <LocalTime key="changed" of={record.changedSinceApprovalAt} as="date" />
              ),
            ],
            ['Amenities', record.amenities.join(', ') || null],
          ]}
        />
      </DrawerSection>
      {reviewNote && (
        <DrawerSection title="Message to the seller">
          <p className="record-words">{reviewNote}</p>
        </DrawerSection>
      )}
    </>
  );
}

function Photos({ record: { id, type, pictures } }: { record: ListingRecord }) {
  return (
    <DrawerSection title="Photos" note={pictures.length || undefined}>
      {pictures.length === 0 ? (
        <p className="record-words">No photos. A drawing is shown in their place.</p>
      ) : (
        <div className="record-photos">
          {pictures.map((picture) => (
            <figure key={picture.id}>
              <ListingPictureView listingId={id} type={type} picture={picture} sizes="150px" />
              {picture.caption && <figcaption>{picture.caption}</figcaption>}
            </figure>
          ))}
        </div>
      )}
    </DrawerSection>
  );
}

function Sale({ sale }: Pick<ListingRecord, 'sale'>) {
  return (
    <DrawerSection title="Sale">
      {sale === null ? (
        <p className="record-words">No one has started a purchase.</p>
      ) : (
        <DrawerFacts
          facts={[
            ['Buyer', sale.buyer],
            ['Amount', dollarsAndCents(sale.totalCents)],
            ['Payment method', paymentMethodNames[sale.method]],
            ['Payment', paymentLabel[sale.payment]],
            ['Escrow', escrowLabel[sale.escrow]],
            ['Started', <LocalTime key="started" of={sale.startedAt} as="date" />],
            ['Paid', sale.paidAt && <LocalTime key="paid" of={sale.paidAt} as="date" />],
          ]}
        />
      )}
    </DrawerSection>
  );
}
