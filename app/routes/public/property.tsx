import { cutText } from '#platform/cut-text.ts';
import '#app/pages/listings/property.css';
import { useEffect } from 'react';
import { data, Link, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { type Refusal, redirectWithToast, runAction, type Stay } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { isMissing, MissingProperty } from '#app/pages/listings/missing-property.tsx';
import { loadBuyBox, loadDescription, loadFacts } from '#app/pages/listings/property-parts.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getScope } from '#app/request.ts';
import { useSite } from '#app/site.ts';
import { purchasePanel } from '#features/checkout/reads.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { priceWithFees, totalIncludesText } from '#features/fees/rules.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { INQUIRY_SENT, SEND_FAILED } from '#features/inquiries/model.ts';
import { inquiryRefusal, mayInquire, refusalText } from '#features/inquiries/rules.ts';
import { publicHistory } from '#features/listing-history/reads.ts';
import { type ListingPlace, surroundings } from '#features/listing-place/rules.ts';
import { qualityHints } from '#features/listing-quality/rules.ts';
import { carouselImages } from '#features/listings/components/carousel-images.ts';
import { drawingAlt } from '#features/listings/display.ts';
import type { ListingDetail } from '#features/listings/model.ts';
import { listingDetail } from '#features/listings/reads.ts';
import { editScope, mayList, pageVisibility } from '#features/listings/rules.ts';
import { listingStructuredData } from '#features/listings/structured-data.ts';
import { typedAssumptions } from '#features/payment-estimate/rules.ts';
import { formatRectangle } from '#features/search/model.ts';
import { similarListings } from '#features/similar-listings/reads.ts';
import { offersTours } from '#features/tours/reads.ts';
import { WatchButton } from '#features/watches/components/watch-button.tsx';
import { marksFor } from '#features/watches/reads.ts';
import { paymentMethods } from '#gateways/payments/port.ts';
import type { Actor } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { Carousel } from '#ui/carousel.tsx';
import { ArrowLeft } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { loadedLater } from '#ui/loaded-later.tsx';
import { post } from '#ui/post.ts';
import type { Route } from './+types/property';

const DetailFacts = loadedLater(loadFacts);
const DetailDescription = loadedLater(loadDescription);
const BuyBox = loadedLater(loadBuyBox);
const PropertySections = loadedLater(
  async () => (await import('#app/pages/listings/property-sections.tsx')).PropertySections,
);
const PropertyTools = loadedLater(async () => (await import('./property/property-tools.tsx')).PropertyTools);
const OwnListingNotice = loadedLater(
  async () => (await import('#features/listing-quality/components/own-listing-notice.tsx')).OwnListingNotice,
);
const SimilarHomes = loadedLater(
  async () => (await import('#features/similar-listings/components/similar-homes.tsx')).SimilarHomes,
);
const GalleryOpener = loadedLater(async () => (await import('#ui/gallery-opener.tsx')).GalleryOpener);

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { ctx } = getScope(context);
  const found = await listingDetail(ctx, params.id);
  if (!found.ok) throw data(null, { status: found.status, statusText: 'Property not found' });
  const { listing } = found;
  const [fees, similar, history, tours] = await Promise.all([
    buyerFees(ctx),
    readOr(ctx, [], () => similarListings(ctx, listing.id)),
    readOrNull(ctx, () => publicHistory(ctx, listing.id)),
    readOr(ctx, false, () => offersTours(ctx, listing)),
  ]);
  const ids = [listing.id, ...similar.map((card) => card.id)];
  const { watched } = await readOr(ctx, { watched: [] as string[] }, () => marksFor(ctx, ids));
  const price = priceWithFees(listing.baseCents, fees);
  const refusal = inquiryRefusal(ctx.actor, listing);
  const panel = await purchasePanel(ctx, { listing, totalCents: price.totalCents });
  const query = new URL(request.url).searchParams;
  const page = ctx.config.publicUrl + paths.property(listing.id);
  const { name, email } = listing.seller;
  return {
    listing: { ...listing, seller: { name, email } },
    price,
    feesText: totalIncludesText(fees),
    watched: watched.includes(listing.id),
    similar: { cards: similar, watched },
    own: ownView(ctx.actor, listing),
    sections: {
      history,
      tourHref: tours ? tourPaths.request(listing.id) : null,
      ...placeOf(listing),
      own: ctx.actor.kind === 'user' && ctx.actor.agentId === listing.seller.id,
      tilesUrl: ctx.config.mapTilesUrl ?? null,
      payment:
        listing.status === 'Active' ? { priceCents: price.totalCents, typed: typedAssumptions(query) } : null,
    },
    url: page,
    refused: refusal && refusalText[refusal],
    openDialog: query.has('inquire') && !refusal,
    purchase: {
      panel,
      chosen: paymentMethods.find((method) => method === query.get('purchase')) ?? null,
      abandonedSaleId: query.get('left'),
    },
    sendingKey: ctx.requestId,
    structured: listingStructuredData(listing, price, {
      page,
      image: listing.pictures.length > 0 ? ctx.config.publicUrl + paths.propertyOgImage(listing.id) : null,
    }),
  };
}

/** Where it is, and the search for what is around it. */
function placeOf({ latitude, longitude, locationPrecision }: ListingDetail): {
  place: ListingPlace | null;
  nearbyHref: string;
} {
  if (latitude === null || longitude === null) return { place: null, nearbyHref: '' };
  const place = { latitude, longitude, precision: locationPrecision };
  return {
    place,
    nearbyHref: paths.properties({ map: '1', bbox: formatRectangle(surroundings(place)) }),
  };
}

/** What its seller and administrators read above it; null for everyone else. */
function ownView(actor: Actor, listing: ListingDetail) {
  const isSeller = actor.kind === 'user' && actor.agentId === listing.seller.id;
  if (!isSeller && !(actor.kind === 'user' && actor.role === 'admin')) return null;
  const isShown = pageVisibility({ kind: 'visitor' }, listing) === 200;
  return {
    isShown,
    mayAct: isSeller && mayList(actor),
    hints: isSeller && editScope(listing.status) === 'all' ? qualityHints(listing) : [],
  };
}

/** Handles the inquiry form. */
export const action = (args: Route.ActionArgs) =>
  runAction(args, {
    fallback: 'inquire',
    preserve: ['message'],
    intents: {
      async inquire({ ctx, text, scripted }): Promise<Response | Stay | Refusal> {
        const { id } = args.params;
        const page = paths.property(id);
        if (!mayInquire(ctx.actor))
          return redirect(paths.buyerLogin({ next: `${page}?inquire=1`, intent: `inquire:${id}` }));
        const key = text('key').slice(0, 100);
        const result = await sendInquiry(ctx, { propertyId: id, message: text('message'), key });
        if (!result.ok) return { ok: false, toast: refusalText[result.reason] };
        return scripted ? { ok: true, toast: INQUIRY_SENT } : redirectWithToast(page, INQUIRY_SENT);
      },
    },
  });

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('message'),
    toast: { title: 'Error', text: SEND_FAILED },
  });

/** An inquiry changes nothing on this page. */
export const shouldRevalidate = ({ formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formAction ? false : defaultShouldRevalidate;

export const meta: Route.MetaFunction = ({ loaderData, matches, error }) => {
  // Any other error page brings its own title.
  if (!loaderData)
    return isMissing(error) ? pageMeta(matches, { title: 'Property not found', hidden: true }) : [];
  const { listing, structured } = loaderData;
  return pageMeta(matches, {
    title: [listing.title ?? listing.address, listing.town].filter(Boolean).join(', '),
    description:
      cutText(listing.description, 200) || `${listing.type} at ${listing.address}, ${listing.town}`,
    canonical: paths.property(listing.id),
    image: {
      path: paths.propertyOgImage(listing.id),
      width: 1200,
      height: 630,
      alt: listing.pictures[0]?.alt ?? drawingAlt(0, 1),
    },
    structured,
    hidden: !listing.isPublic,
  });
};

export default function Property({ loaderData, actionData }: Route.ComponentProps) {
  const { listing, price, feesText, watched, refused, openDialog, sendingKey, purchase, url } = loaderData;
  const hasPhotos = listing.pictures.length > 0;
  const images = carouselImages(listing);
  const pictures = `${hasPhotos ? 'Pictures of' : 'Drawings in place of photos of'} ${listing.address}`;
  const signedIn = Boolean(useSite()?.viewer);
  useEffect(() => {
    void post(paths.view(listing.id), null, { keepalive: true });
  }, [listing.id]);
  return (
    <>
      <div className="crumbline">
        <Link className="back" to={paths.properties()}>
          <Icon of={ArrowLeft} size={16} />
          Back to Properties
        </Link>
        <PropertyTools title={`${listing.address}, ${listing.town}`} url={url} />
      </div>
      {loaderData.own && <OwnListingNotice listingId={listing.id} {...loaderData.own} />}
      <p className="printed-url">{url}</p>
      <div className="detail">
        <div className="main">
          <Carousel
            images={images}
            label={pictures}
            standIns={!hasPhotos}
            sizes="(width >= 1344px) 840px, (width >= 960px) calc(100vw - 504px), 100vw"
            edge
          >
            {(place) => (
              <>
                <WatchButton
                  propertyId={listing.id}
                  address={listing.address}
                  watched={watched}
                  signedIn={signedIn}
                />
                <GalleryOpener images={images} label={pictures} place={place} />
              </>
            )}
          </Carousel>
          <DetailFacts listing={listing} />
        </div>
        <aside className="buybox" aria-label="Price and seller">
          <BuyBox
            listing={listing}
            price={price}
            feesText={feesText}
            purchase={purchase}
            refused={refused}
            openDialog={openDialog}
            answer={actionData}
            sendingKey={sendingKey}
          />
        </aside>
        <div className="detail-below">
          <DetailDescription listing={listing} />
          <PropertySections
            listingId={listing.id}
            address={[listing.address, listing.town].filter(Boolean).join(', ')}
            {...loaderData.sections}
          />
        </div>
      </div>
      <SimilarHomes key={`similar-${listing.id}`} {...loaderData.similar} signedIn={signedIn} />
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <MissingProperty error={error} />;
}
