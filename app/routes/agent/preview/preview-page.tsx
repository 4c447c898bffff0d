import '#app/pages/listings/property.css';
import type { ReactNode } from 'react';
import { loadBuyBox, loadDescription, loadFacts } from '#app/pages/listings/property-parts.ts';
import { PreviewNotice } from '#features/listing-form/components/preview-notice.tsx';
import { Carousel } from '#ui/carousel.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { loadedLater } from '#ui/loaded-later.tsx';
import { AreaHead, BackLink } from '#ui/page-head.tsx';
import type { PreviewData } from './preview-data.ts';

// The code of the property page itself, which is loaded as there.
const DetailFacts = loadedLater(loadFacts);
const DetailDescription = loadedLater(loadDescription);
const BuyBox = loadedLater(loadBuyBox);
const PropertySections = loadedLater(
  async () => (await import('#app/pages/listings/property-sections.tsx')).PropertySections,
);
const GalleryOpener = loadedLater(async () => (await import('#ui/gallery-opener.tsx')).GalleryOpener);

interface Props {
  preview: PreviewData;
  formHref: string;
  /** it shows a draft of a new listing */
  isDraft: boolean;
  /** what else its seller reads above it */
  notice?: ReactNode;
}

/** A draft or listing as the property page will show it, where nothing can be bought, watched or asked. */
export function PreviewPage({ preview, formHref, isDraft, notice }: Props) {
  const { listing, name, price, images, sections, blanks } = preview;
  const hasPhotos = listing.pictures.length > 0;
  const pictures = `${hasPhotos ? 'Pictures of' : 'Drawings in place of photos of'} ${name}`;
  return (
    <>
      <BackLink href={formHref} label="Back to the form" />
      <PreviewNotice
        formHref={formHref}
        isDraft={isDraft}
        hasChanges={preview.hasChanges}
        isPublic={preview.isPublic}
        gaps={preview.gaps}
      />
      {notice}
      <div className="detail preview" data-blank={blanks.join(' ')}>
        <div className="main">
          <Carousel
            images={images}
            label={pictures}
            standIns={!hasPhotos}
            sizes="(width >= 1200px) calc(100vw - 760px), 100vw"
            edge
          >
            {(place) => <GalleryOpener images={images} label={pictures} place={place} />}
          </Carousel>
          <DetailFacts listing={listing} />
        </div>
        <aside className="buybox" aria-label="Price and seller">
          {price ? (
            <BuyBox
              listing={listing}
              price={price}
              feesText={preview.feesText}
              purchase={preview.purchase}
              refused={preview.refused}
              openDialog={false}
              answer={undefined}
              sendingKey=""
            />
          ) : (
            <section className="sheet" aria-label="Price">
              <p className="price blank">No price yet</p>
            </section>
          )}
        </aside>
        <div className="detail-below">
          <DetailDescription listing={listing} />
          <PropertySections
            listingId={listing.id}
            address={[name, listing.town].filter(Boolean).join(', ')}
            {...sections}
          />
        </div>
      </div>
    </>
  );
}

/** In place of a preview that could not be read. */
export function FailedPreview({ formHref }: Pick<Props, 'formHref'>) {
  return (
    <>
      <AreaHead title="Preview" back={{ href: formHref, label: 'Back to the form' }} />
      <FailedPanel title="The preview could not be loaded." />
    </>
  );
}
