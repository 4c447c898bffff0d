import type { Database } from '#platform/db/database.ts';
import { type CheckoutLine, type CheckoutStatus, PaymentError, type PaymentMethod } from '../port.ts';
import { type Checkout, findCheckout, statusAt } from './checkout.ts';
import {
  isTransferAction,
  performTransferAction,
  readTransfer,
  type SandboxTransfer,
  TRANSFER_ACTIONS,
  transferActions,
} from './transfer-page.ts';
import { close, fail, pay, requireStatus, submit, withCheckout } from './transitions.ts';

/** The actions on the sandbox checkout page. */
const CHECKOUT_ACTIONS = ['pay', 'pay_later', 'decline', 'expire', 'cancel'] as const;
export const SANDBOX_ACTIONS = [...CHECKOUT_ACTIONS, ...TRANSFER_ACTIONS] as const;
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

/** What the sandbox checkout page shows. */
export interface SandboxCheckout {
  ref: string;
  method: PaymentMethod;
  lines: CheckoutLine[];
  amountCents: number;
  description: string;
  buyerEmail: string;
  status: CheckoutStatus;
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
  /** why the last attempt failed, for the payer; null otherwise */
  notice: string | null;
  /** when the pending payment settles; null when none is pending */
  settleAt: Date | null;
  /** empty once the checkout is closed; transfers arrive all the same */
  actions: readonly SandboxAction[];
  /** where to send the transfers of a payment in parts, and what has arrived; null for one in one piece */
  transfer: SandboxTransfer | null;
}

/** One checkout for its page, or null when it does not exist. */
export async function readSandboxCheckout(
  db: Database,
  ref: string,
  now: Date,
): Promise<SandboxCheckout | null> {
  const checkout = await findCheckout(db, ref);
  if (!checkout) return null;
  const { method, request, amount_cents, expires_at, notice, settle_at } = checkout;
  const status = statusAt(checkout, now);
  const transfer = checkout.in_parts ? await readTransfer(db, checkout) : null;
  const open = isOverBankLimit(checkout)
    ? CHECKOUT_ACTIONS.filter((action) => action !== 'pay_later')
    : CHECKOUT_ACTIONS;
  const actions = transfer ? transferActions(checkout) : status === 'open' ? open : [];
  const shown = { ref, method, status, notice, actions, transfer, amountCents: amount_cents };
  return { ...request, ...shown, expiresAt: expires_at, settleAt: settle_at };
}

/** `goTo` is where the browser goes next, or null to stay on the page. `reason` is shown to the payer. */
type SandboxResult = { ok: true; goTo: string | null } | { ok: false; reason: string };

/**
 * Performs an action of the payer. `cancel` leaves the page without closing the checkout; a declined card leaves it open
 * for another card, a declined wallet payment ends it.
 */
export async function performSandboxAction(
  db: Database,
  ref: string,
  action: SandboxAction,
  now: Date,
): Promise<SandboxResult> {
  try {
    const goTo = await withCheckout(db, ref, (checkout) => performAction(db, checkout, action, now));
    return { ok: true, goTo };
  } catch (error) {
    if (error instanceof PaymentError) return { ok: false, reason: error.message };
    throw error;
  }
}

async function performAction(
  db: Database,
  checkout: Checkout,
  action: SandboxAction,
  now: Date,
): Promise<string | null> {
  const { successUrl, cancelUrl } = checkout.request;
  if (checkout.in_parts || isTransferAction(action)) return performTransferAction(db, checkout, action, now);
  if (action === 'cancel') return cancelUrl;
  requireStatus(checkout, 'open', now);
  switch (action) {
    case 'pay':
      await pay(db, checkout, checkout.method === 'card' ? 'card' : 'chain', now);
      return successUrl;
    case 'pay_later':
      if (isOverBankLimit(checkout))
        return showNotice(db, checkout, 'This bank transfer is over the limit of the account.');
      await submit(db, checkout, now);
      return successUrl;
    case 'decline':
      if (checkout.method === 'card')
        return showNotice(db, checkout, 'The card was declined. Try another one.');
      await fail(db, checkout, now);
      return cancelUrl;
    case 'expire':
      await close(db, checkout, 'expired', now);
      return null;
  }
}

/** New provider accounts accept only small bank transfers. */
const isOverBankLimit = ({ method, bank_limit_cents: limit, amount_cents: amount }: Checkout) =>
  method === 'card' && limit !== null && amount > limit;

/** After a failed attempt the page stays and says why. */
async function showNotice(db: Database, { ref }: Checkout, notice: string): Promise<null> {
  await db.q().updateTable('sandbox_checkouts').set({ notice }).where('ref', '=', ref).execute();
  return null;
}
