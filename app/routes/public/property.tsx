import { useEffect } from 'react';
import { data, isRouteErrorResponse, Link, redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx, getScope } from '#app/request.ts';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { useSite } from '#app/site.ts';
import { buyerFees } from '#features/fees/reads.ts';
import { priceWithFees, totalIncludesText } from '#features/fees/rules.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { InquiryPanel } from '#features/inquiries/components/inquiry-panel.tsx';
import { INQUIRY_SENT, type InquiryAnswer, SEND_FAILED } from '#features/inquiries/model.ts';
import { inquiryRefusal, mayInquire, refusalText } from '#features/inquiries/rules.ts';
import { DetailFacts } from '#features/listings/components/detail-facts.tsx';
import { carouselImages } from '#features/listings/components/detail-pictures.ts';
import { PricePanel } from '#features/listings/components/price-panel.tsx';
import { SellerPanel } from '#features/listings/components/seller-panel.tsx';
import { listingDetail } from '#features/listings/reads.ts';
import { listingStructuredData } from '#features/listings/structured-data.ts';
import { Diagnostics } from '#features/purchases/components/diagnostics.tsx';
import { HoldLine, PurchasePanel } from '#features/purchases/components/purchase-panel.tsx';
import { purchasePanel } from '#features/purchases/reads.ts';
import { DEFAULT_BRAND } from '#features/settings/model.ts';
import { WatchButton } from '#features/watches/components/watch-button.tsx';
import { marksFor } from '#features/watches/reads.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { ButtonLink } from '#ui/button.tsx';
import { Carousel } from '#ui/carousel.tsx';
import { ArrowLeft } from '#ui/glyphs.ts';
import { Icon } from '#ui/icon.tsx';
import { Scene } from '#ui/scene.tsx';
import type { Route } from './+types/property';

export async function loader({ request, params, context }: Route.LoaderArgs) {
  const { ctx, services } = getScope(context);
  const found = await listingDetail(ctx, params.id);
  if (!found.ok) throw data(null, { status: found.status, statusText: 'Property not found' });
  const { listing } = found;
  const [fees, marks] = await Promise.all([buyerFees(ctx), marksFor(ctx, [listing.id])]);
  const price = priceWithFees(listing.baseCents, fees);
  const refusal = inquiryRefusal(ctx.actor, listing);
  const panel = await purchasePanel(ctx, listing, price.totalCents, services.payments);
  const asks = new URL(request.url).searchParams;
  const way = asks.get('purchase');
  const page = ctx.config.publicUrl + paths.property(listing.id);
  const { userId: _private, ...seller } = listing.seller;
  return {
    listing: { ...listing, seller },
    price,
    feesText: totalIncludesText(fees),
    watched: marks.watched.length > 0,
    refused: refusal && refusalText[refusal],
    asked: asks.has('inquire') && !refusal,
    purchase: {
      panel,
      chosen: way === 'card' || way === 'crypto' ? (way as Rail) : null,
      left: asks.get('left'),
    },
    sendingKey: ctx.requestId,
    structured: listingStructuredData(listing, price, {
      page,
      image: ctx.config.publicUrl + paths.propertyOgImage(listing.id),
    }),
  };
}

/** The inquiry form (B-050). */
export async function action({ request, params, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const message = String(form.get('message') ?? '');
  const page = paths.property(params.id);
  if (!mayInquire(ctx.actor)) {
    throw redirect(paths.buyerLogin({ next: `${page}?inquire=1`, intent: `inquire:${params.id}` }));
  }
  try {
    const result = await sendInquiry(ctx, {
      propertyId: params.id,
      message,
      key: String(form.get('key') ?? '').slice(0, 100),
    });
    if (!result.ok) return data(refused(refusalText[result.reason], message), { status: 422 });
    if (form.has('scripted')) return { ok: true } satisfies InquiryAnswer;
    return redirect(page, { headers: { 'set-cookie': setFlash(INQUIRY_SENT) } });
  } catch (error) {
    if (error instanceof TooManyRequests) return data(refused(error.message, message), { status: 429 });
    throw error;
  }
}

/** A lost connection or a fault keeps the dialog and its text. */
export async function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  const message = String((await request.clone().formData()).get('message') ?? '');
  try {
    return await serverAction();
  } catch (error) {
    if (error instanceof Response) throw error;
    return refused(SEND_FAILED, message);
  }
}

const refused = (text: string, message: string): InquiryAnswer => ({ ok: false, text, message });

/** An inquiry changes nothing that this page shows. */
export const shouldRevalidate = ({ formAction, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  formAction ? false : defaultShouldRevalidate;

export const meta: Route.MetaFunction = ({ loaderData, matches }) => {
  if (!loaderData) return pageMeta(matches, { title: 'Property not found', hidden: true });
  const { listing, structured } = loaderData;
  return pageMeta(matches, {
    title: [listing.title ?? listing.address, listing.town].filter(Boolean).join(', '),
    description:
      listing.description.slice(0, 200) || `${listing.type} at ${listing.address}, ${listing.town}`,
    canonical: paths.property(listing.id),
    image: { path: paths.propertyOgImage(listing.id), width: 1200, height: 630, alt: listing.address },
    structured,
    hidden: !listing.isPublic,
  });
};

export default function Property({ loaderData, actionData }: Route.ComponentProps) {
  const { listing, price, feesText, watched, refused, asked, sendingKey, purchase } = loaderData;
  const page = paths.property(listing.id);
  const site = useSite();
  const signedIn = Boolean(site?.viewer);
  const { panel } = purchase;
  const usable = panel.rails.find(({ reason }) => reason === null)?.rail ?? 'card';
  useEffect(() => {
    fetch(paths.view(listing.id), { method: 'POST', keepalive: true }).catch(() => undefined);
  }, [listing.id]);
  return (
    <>
      <div className="crumbline">
        <Link className="back" to={paths.properties()}>
          <Icon of={ArrowLeft} size={16} />
          Back to Properties
        </Link>
      </div>
      <div className="detail">
        <div className="main">
          <Carousel
            images={carouselImages(listing)}
            label={`Pictures of ${listing.address}`}
            sizes="(width >= 1344px) 840px, (width >= 960px) calc(100vw - 504px), 100vw"
            edge
          >
            <WatchButton
              propertyId={listing.id}
              address={listing.address}
              watched={watched}
              signedIn={signedIn}
            />
          </Carousel>
          <DetailFacts listing={listing} />
        </div>
        <aside className="buybox" aria-label="Price and seller">
          <PricePanel
            listing={listing}
            price={price}
            foot={
              <>
                <HoldLine brand={site?.brand ?? DEFAULT_BRAND} panel={panel} />
                <Diagnostics key={listing.id} propertyId={listing.id} rail={usable} />
              </>
            }
          >
            <PurchasePanel
              key={`buy-${listing.id}`}
              propertyId={listing.id}
              {...purchase}
              totalCents={price.totalCents}
              purchaseKey={sendingKey}
              buyerEmail={site?.viewer?.email ?? ''}
            />
            <InquiryPanel
              key={listing.id}
              propertyId={listing.id}
              action={page}
              openHref={`${page}?inquire=1`}
              asked={asked || actionData?.ok === false}
              refused={refused}
              told={refused === panel.refused}
              answer={actionData}
              sendingKey={sendingKey}
            />
          </PricePanel>
          <SellerPanel seller={listing.seller} />
          {feesText && <p className="total-note">{feesText}</p>}
        </aside>
      </div>
    </>
  );
}

/** 'Property not found' where there is none to see; any other fault as everywhere, inside the frame. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const site = useSite();
  if (!isRouteErrorResponse(error) || (error.status !== 404 && error.status !== 410))
    return <ErrorPage error={error} correlationId={site?.requestId} />;
  return (
    <div className="page-state">
      <div className="empty empty-bare">
        <Scene sign="board" />
        <h1 className="empty-lead">Property not found</h1>
        <ButtonLink to={paths.properties()}>Back to Properties</ButtonLink>
      </div>
    </div>
  );
}
