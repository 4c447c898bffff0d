import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import type { PaymentMethod } from '#gateways/payments/port.ts';
import { paths } from '#routing/paths.ts';
import { purchasePaths } from '#routing/purchase-paths.ts';
import { Button } from '#ui/button.tsx';
import { Bitcoin, Landmark } from '#ui/detail-glyphs.ts';
import type { usePurchase } from './use-purchase.ts';

/** The label and look of each payment method's button. */
export const buyLooks = {
  card: { label: 'Escrow with Card/Bank Transfer', icon: Landmark },
  crypto: { label: 'Pay with Crypto', icon: Bitcoin },
} as const;

export interface BuyProps {
  propertyId: string;
  totalCents: number;
  purchaseKey: string;
  purchase: ReturnType<typeof usePurchase>;
}

interface Props extends BuyProps {
  method: PaymentMethod;
  /** the first of the buttons, which stands out */
  leads: boolean;
  disabled: boolean;
  /** why this payment method cannot carry the price, or how it does */
  note: string | null;
  /** takes the focus when this becomes true */
  focused: boolean;
  signedIn: boolean;
}

/** The buy button of one payment method. Without JavaScript the form itself leads to the provider's page. */
export function BuyButton({ method, leads, disabled, note, focused, signedIn, ...form }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const { busy, goToSignIn } = form.purchase;
  const { label, ...look } = buyLooks[method];

  useEffect(() => {
    if (focused) button.current?.focus();
  }, [focused]);

  function requireSignIn(event: FormEvent) {
    if (signedIn) return;
    event.preventDefault();
    const next = purchasePaths.confirmation(form.propertyId, method);
    goToSignIn(paths.buyerLogin({ next, intent: `purchase:${form.propertyId}` }));
  }
  return (
    <BuyForm {...form} method={method} onSubmit={requireSignIn}>
      <Button
        ref={button}
        type="submit"
        size="lg"
        wide
        {...look}
        variant={leads ? 'primary' : 'outline'}
        disabled={disabled}
        busy={busy === method}
        aria-describedby={note ? id : undefined}
      >
        {label}
      </Button>
      {note && (
        <p className="hint mt-2 text-center" id={id}>
          {note}
        </p>
      )}
    </BuyForm>
  );
}

interface FormProps extends BuyProps {
  method: PaymentMethod;
  onSubmit?: (event: FormEvent) => void;
  children: ReactNode;
}

/** Submits the payment method, the total that was shown, and the idempotency key. */
export function BuyForm({
  propertyId,
  totalCents,
  purchaseKey,
  purchase,
  method,
  onSubmit,
  children,
}: FormProps) {
  return (
    <form
      method="post"
      action={purchasePaths.begin(propertyId)}
      onSubmit={(event) => {
        onSubmit?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        void purchase.buy(method, new FormData(event.currentTarget));
      }}
    >
      <input type="hidden" name="method" value={method} />
      <input type="hidden" name="total" value={totalCents} />
      <input type="hidden" name="key" value={`${purchaseKey}-${method}`} />
      {children}
    </form>
  );
}
