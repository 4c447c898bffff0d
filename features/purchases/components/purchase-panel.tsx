import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '#app/paths.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { LocalTime } from '#ui/local-time.tsx';
import type { PurchasePanel as Panel } from '../model.ts';
import { BuyButton } from './buy-button.tsx';
import { OwnPurchase } from './own-purchase.tsx';
import { usePurchase } from './use-purchase.ts';

interface Props {
  propertyId: string;
  panel: Panel;
  totalCents: number;
  /** the same for every repetition of one press; another one with each reading of the page */
  purchaseKey: string;
  buyerEmail: string;
  /** the way of paying that was chosen before signing in (B-026) */
  chosen: Rail | null;
  /** the purchase that someone came back from without paying, as the provider's page led them */
  left: string | null;
}

/** The two ways of buying, or what stands in their way, or one's own running purchase (S0 §2, B-073, B-081, B-084). */
export function PurchasePanel({
  propertyId,
  panel,
  totalCents,
  purchaseKey,
  buyerEmail,
  chosen,
  left,
}: Props) {
  const { own, heldUntil, refused, rails, signedIn } = panel;
  const purchase = usePurchase(propertyId, buyerEmail);
  useLeft({ propertyId, left, open: own?.payment === 'pending' ? own.saleId : null }, purchase.cancel);
  const form = { propertyId, totalCents, purchaseKey, purchase };
  if (own) return <OwnPurchase own={own} {...form} />;
  const off = refused !== null || heldUntil !== null;
  return (
    <>
      {rails.map(({ rail, reason }) => (
        <BuyButton
          key={rail}
          {...form}
          rail={rail}
          off={off || reason !== null}
          reason={off ? null : reason}
          chosen={chosen === rail}
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

interface Left {
  propertyId: string;
  left: string | null;
  /** the viewer's own unpaid purchase */
  open: string | null;
}

/** Whoever leaves the provider's page gives the purchase up; the address then says nothing of it any more (B4-T 2). */
function useLeft({ propertyId, left, open }: Left, cancel: (saleId: string) => Promise<boolean>): void {
  const navigate = useNavigate();
  const seen = useRef<string | null>(null);
  useEffect(() => {
    if (!left || seen.current === left) return;
    seen.current = left;
    const done = left === open ? cancel(left) : Promise.resolve(false);
    void done.then(() => navigate(paths.property(propertyId), { replace: true, preventScrollReset: true }));
  }, [left, open, propertyId, cancel, navigate]);
}

/** Who holds the money, for how long, and under which terms (B-082). */
export function HoldLine({ brand, panel }: { brand: string; panel: Panel }) {
  if (panel.refused) return null;
  return (
    <p className="hold-line">
      {brand} holds the money until you confirm the closing, at most 7 days after the documents are delivered.
      A cancelled sale is refunded in full.
      {panel.rails.some(({ sandbox }) => sandbox) && ' Sandbox: no real money moves.'}
    </p>
  );
}
