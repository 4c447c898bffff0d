import type { PaymentMethod } from '#gateways/payments/port.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { BuyForm, type BuyProps, buyLooks } from './buy-button.tsx';

interface Props extends BuyProps {
  open: boolean;
  onClose: () => void;
  method: PaymentMethod;
  /** the total that was shown before, when it has changed since; in cents */
  shownCents: number | null;
}

/** Asks whether to pay, naming the total: after signing in for a purchase, and when the price has changed meanwhile. */
export function ConfirmPurchase({ open, onClose, method, shownCents, ...form }: Props) {
  const total = dollarsAndCents(form.totalCents);
  const busy = form.purchase.busy !== null;
  const changed = shownCents !== null && shownCents !== form.totalCents;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={buyLooks[method].label}
      text={
        changed
          ? `The price has changed: the total was ${dollarsAndCents(shownCents)} and is now ${total}. Nothing was charged.`
          : `The total is ${total}, all fees included.`
      }
      locked={busy}
    >
      <BuyForm {...form} method={method}>
        <div className="dialog-acts">
          <Button className="needs-js" variant="outline" onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button type="submit" busy={busy}>
            Continue with {total}
          </Button>
        </div>
      </BuyForm>
    </Dialog>
  );
}
