import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { TestModeNotice } from '#features/sales/components/test-mode-notice.tsx';
import { RELEASE_DAYS } from '#features/sales/model.ts';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { paths } from '#routing/paths.ts';
import { LocalTime } from '#ui/local-time.tsx';
import type { PurchasePanel as Panel } from '../model.ts';
import { BuyButton } from './buy-button.tsx';
import { OwnPurchase } from './own-purchase.tsx';
import { usePurchase } from './use-purchase.ts';

interface Props {
  propertyId: string;
  panel: Panel;
  totalCents: number;
  /** idempotency key: the same for repetitions of one press, new with each load of the page */
  purchaseKey: string;
  buyerEmail: string;
  /** the payment method that was chosen before signing in */
  chosen: PaymentMethod | null;
  /** the sale whose checkout the buyer left without paying, from the provider's cancel link */
  abandonedSaleId: string | null;
}

/** The buy buttons, or why the property cannot be bought, or the viewer's own active purchase. */
export function PurchasePanel({
  propertyId,
  panel,
  totalCents,
  purchaseKey,
  buyerEmail,
  chosen,
  abandonedSaleId,
}: Props) {
  const { own, heldUntil, refused, methods, signedIn } = panel;
  const purchase = usePurchase(propertyId, buyerEmail);
  useAbandonedCheckout(
    { propertyId, abandonedSaleId, unpaidSaleId: own?.payment === 'pending' ? own.saleId : null },
    purchase.cancel,
  );
  const form = { propertyId, totalCents, purchaseKey, purchase };
  if (own)
    return (
      <>
        {own.testMode && <TestModeNotice />}
        <OwnPurchase own={own} {...form} />
      </>
    );
  const disabled = refused !== null || heldUntil !== null;
  return (
    <>
      {!disabled && methods.some(({ testMode }) => testMode) && <TestModeNotice />}
      {methods.map(({ method, reason, hint }, index) => (
        <BuyButton
          key={method}
          {...form}
          method={method}
          leads={index === 0}
          disabled={disabled || reason !== null}
          note={disabled ? null : (reason ?? hint)}
          chosen={chosen === method}
          signedIn={signedIn}
        />
      ))}
      {heldUntil && !refused && (
        <p className="hint text-center">
          Another purchase is in progress until <LocalTime of={heldUntil} as="until" />.
        </p>
      )}
      {refused && <p className="hint text-center">{refused}</p>}
    </>
  );
}

interface AbandonedCheckout {
  propertyId: string;
  abandonedSaleId: string | null;
  /** the viewer's own unpaid purchase */
  unpaidSaleId: string | null;
}

/** Leaving the provider's page cancels the purchase; afterwards the query parameter is removed from the URL. */
function useAbandonedCheckout(
  { propertyId, abandonedSaleId, unpaidSaleId }: AbandonedCheckout,
  cancel: (saleId: string) => Promise<boolean>,
): void {
  const navigate = useNavigate();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!abandonedSaleId || seen.current === abandonedSaleId) return;
    seen.current = abandonedSaleId;
    const done = abandonedSaleId === unpaidSaleId ? cancel(abandonedSaleId) : Promise.resolve(false);
    void done.then(() => navigate(paths.property(propertyId), { replace: true, preventScrollReset: true }));
  }, [abandonedSaleId, unpaidSaleId, propertyId, cancel, navigate]);
}

/** Who holds the money, for how long, and under which terms; nothing once it is released. */
export function EscrowNotice({ brand, panel }: { brand: string; panel: Panel }) {
  if (panel.refused || panel.own?.escrow === 'completed') return null;
  return (
    <p className="hold-line">
      {brand} holds the money until you confirm the closing, at most {RELEASE_DAYS} days after the documents
      are delivered. A cancelled sale is refunded in full. If the documents are not delivered within{' '}
      {panel.documentsDueDays} days of the payment, you can end the sale and get everything back.
      {panel.methods.some(({ sandbox }) => sandbox) && ' Sandbox: no real money moves.'}
    </p>
  );
}
