import { type FormEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { paths } from '#app/paths.ts';
import type { Rail } from '#gateways/payments/port.ts';
import { Button } from '#ui/button.tsx';
import { Bitcoin, Landmark } from '#ui/detail-glyphs.ts';
import type { usePurchase } from './use-purchase.ts';

const looks = {
  card: { label: 'Escrow with Card/Bank Transfer', icon: Landmark, variant: 'primary' },
  crypto: { label: 'Pay with Crypto', icon: Bitcoin, variant: 'outline' },
} as const;

export interface BuyProps {
  propertyId: string;
  totalCents: number;
  purchaseKey: string;
  purchase: ReturnType<typeof usePurchase>;
}

interface Props extends BuyProps {
  rail: Rail;
  off: boolean;
  /** why this way cannot carry the price, with what can (B-081) */
  reason: string | null;
  chosen: boolean;
  signedIn: boolean;
}

/** One way of buying. Without scripts the form itself leads to the provider's page. */
export function BuyButton({ rail, off, reason, chosen, signedIn, ...form }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const { busy, lead } = form.purchase;
  const { label, ...look } = looks[rail];

  useEffect(() => {
    if (chosen) button.current?.focus();
  }, [chosen]);

  function ask(event: FormEvent) {
    if (signedIn) return;
    event.preventDefault();
    const next = paths.purchaseAfterSignIn(form.propertyId, rail);
    lead(paths.buyerLogin({ next, intent: `purchase:${form.propertyId}` }));
  }
  return (
    <BuyForm {...form} rail={rail} onSubmit={ask}>
      <Button
        ref={button}
        type="submit"
        size="lg"
        wide
        {...look}
        disabled={off}
        busy={busy === rail}
        aria-describedby={reason ? id : undefined}
      >
        {label}
      </Button>
      {reason && (
        <p className="hint mt-2 text-center" id={id}>
          {reason}
        </p>
      )}
    </BuyForm>
  );
}

interface FormProps extends BuyProps {
  rail: Rail;
  onSubmit?: (event: FormEvent) => void;
  children: ReactNode;
}

/** What a press sends: the way of paying, the total that was shown, and the key of this press. */
export function BuyForm({
  propertyId,
  totalCents,
  purchaseKey,
  purchase,
  rail,
  onSubmit,
  children,
}: FormProps) {
  return (
    <form
      method="post"
      action={paths.purchase(propertyId)}
      onSubmit={(event) => {
        onSubmit?.(event);
        if (event.defaultPrevented) return;
        event.preventDefault();
        void purchase.buy(rail, new FormData(event.currentTarget));
      }}
    >
      <input type="hidden" name="method" value={rail} />
      <input type="hidden" name="total" value={totalCents} />
      <input type="hidden" name="key" value={`${purchaseKey}-${rail}`} />
      {children}
    </form>
  );
}
