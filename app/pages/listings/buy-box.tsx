import { useSite } from '#app/site.ts';
import { PaymentDiagnostics } from '#features/checkout/components/payment-diagnostics.tsx';
import { EscrowNotice, PurchasePanel } from '#features/checkout/components/purchase-panel.tsx';
import type { PurchasePanel as Panel } from '#features/checkout/model.ts';
import type { Price } from '#features/fees/model.ts';
import { InquiryPanel } from '#features/inquiries/components/inquiry-panel.tsx';
import { OwnConversation } from '#features/inquiries/components/own-conversation.tsx';
import { PricePanel } from '#features/listings/components/price-panel.tsx';
import { SellerPanel } from '#features/listings/components/seller-panel.tsx';
import type { ListingDetail } from '#features/listings/model.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { paths } from '#routing/paths.ts';
import type { ActionData } from '#ui/action-data.ts';

interface Props {
  listing: Omit<ListingDetail, 'seller'> & { seller: Pick<ListingDetail['seller'], 'name' | 'email'> };
  price: Price;
  feesText: string | null;
  purchase: { panel: Panel; chosen: PaymentMethod | null; abandonedSaleId: string | null };
  /** why the viewer cannot inquire; null if they can */
  refused: string | null;
  openDialog: boolean;
  /** result of the inquiry form when it was posted without JavaScript */
  answer: ActionData | undefined;
  /** idempotency key of the forms */
  sendingKey: string;
}

/** Price, purchase, inquiry and seller, beside the facts of the property page. */
export function BuyBox({
  listing,
  price,
  feesText,
  purchase,
  refused,
  openDialog,
  answer,
  sendingKey,
}: Props) {
  const site = useSite();
  const page = paths.property(listing.id);
  const { panel } = purchase;
  const usableMethod = panel.methods.find(({ reason }) => reason === null)?.method ?? 'card';
  return (
    <>
      <PricePanel
        listing={listing}
        price={price}
        footer={
          <>
            <EscrowNotice brand={site?.brand ?? DEFAULT_BRAND} panel={panel} />
            {panel.canPay && (
              <PaymentDiagnostics key={listing.id} propertyId={listing.id} method={usableMethod} />
            )}
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
        {refused && panel.own ? (
          <OwnConversation inquiryId={panel.own.inquiryId} seller={listing.seller} />
        ) : (
          <InquiryPanel
            key={listing.id}
            propertyId={listing.id}
            action={page}
            openHref={`${page}?inquire=1`}
            openDialog={openDialog}
            refused={refused}
            shown={refused === panel.refused}
            answer={answer}
            idempotencyKey={sendingKey}
          />
        )}
      </PricePanel>
      <SellerPanel seller={listing.seller} />
      {feesText && <p className="total-note">{feesText}</p>}
    </>
  );
}
