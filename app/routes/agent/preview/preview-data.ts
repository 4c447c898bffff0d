import type { PurchasePanel } from '#features/checkout/model.ts';
import type { ListingPreview } from '#features/listing-form/preview.ts';
import type { PublicHistory } from '#features/listing-history/model.ts';
import { type ListingPlace, surroundings } from '#features/listing-place/rules.ts';
import { carouselImages } from '#features/listings/components/carousel-images.ts';
import { typedAssumptions } from '#features/payment-estimate/rules.ts';
import { formatRectangle } from '#features/search/model.ts';
import { paymentMethods } from '#gateways/payments/port.ts';
import type { Ctx } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';

const LATER = 'Buyers use these buttons once the listing is public.';

/** The buttons of the property page, none of which can be pressed. */
const lockedPanel: PurchasePanel = {
  methods: paymentMethods.map((method) => ({
    method,
    reason: null,
    hint: null,
    sandbox: false,
    testMode: false,
  })),
  own: null,
  heldUntil: null,
  refused: LATER,
  canPay: false,
  signedIn: true,
  documentsDueDays: 0,
};

/** Nothing of it has happened in public. */
export const NO_HISTORY: PublicHistory = { events: [], days: null };

/** What the page of a preview shows: the same as the property page, with nothing to press. */
export function previewData(
  ctx: Ctx,
  preview: ListingPreview,
  { history, searchParams }: { history: PublicHistory | null; searchParams: URLSearchParams },
) {
  const { listing, price } = preview;
  const { name, email } = listing.seller;
  const { latitude, longitude, locationPrecision: precision } = listing;
  const place: ListingPlace | null =
    latitude === null || longitude === null ? null : { latitude, longitude, precision };
  return {
    ...preview,
    listing: { ...listing, seller: { name, email } },
    images: carouselImages(listing),
    purchase: { panel: lockedPanel, chosen: null, abandonedSaleId: null },
    refused: LATER,
    sections: {
      history,
      place,
      nearbyHref: place ? paths.properties({ map: '1', bbox: formatRectangle(surroundings(place)) }) : '',
      tilesUrl: ctx.config.mapTilesUrl ?? null,
      own: true,
      tourHref: null,
      payment:
        price && listing.status === 'Active'
          ? { priceCents: price.totalCents, typed: typedAssumptions(searchParams) }
          : null,
    },
  };
}

export type PreviewData = ReturnType<typeof previewData>;
