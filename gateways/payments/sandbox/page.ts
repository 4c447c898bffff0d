import type { Database } from '#platform/db/database.ts';
import { type CheckoutLine, type CheckoutStatus, PaymentError, type Rail } from '../port.ts';
import { close, fail, pay, requireStatus, submit, withCheckout } from './change.ts';
import { type Checkout, findCheckout, statusAt } from './checkout.ts';

/** What a person can do on the sandbox's page. */
export const SANDBOX_ACTIONS = ['pay', 'pay_later', 'decline', 'expire', 'cancel'] as const;
export type SandboxAction = (typeof SANDBOX_ACTIONS)[number];

/** What the page of a checkout shows. Amounts are cents, times are UTC. */
export interface SandboxCheckout {
  ref: string;
  rail: Rail;
  lines: CheckoutLine[];
  amountCents: number;
  description: string;
  buyerEmail: string;
  status: CheckoutStatus;
  expiresAt: Date;
  successUrl: string;
  cancelUrl: string;
  /** why the last attempt did not work, for the person who made it; null when there is nothing to say */
  notice: string | null;
  /** when the money that is on its way arrives; null when none is */
  settleAt: Date | null;
  /** what is possible now; empty once the checkout is closed */
  actions: readonly SandboxAction[];
}

/** One checkout for its page; null when there is none of this name. */
export async function readSandboxCheckout(
  db: Database,
  ref: string,
  now: Date,
): Promise<SandboxCheckout | null> {
  const checkout = await findCheckout(db.q(), ref);
  if (!checkout) return null;
  const { rail, request, amount_cents, expires_at, notice, settle_at } = checkout;
  const status = statusAt(checkout, now);
  const actions = status === 'open' ? SANDBOX_ACTIONS : [];
  const shown = { ref, rail, status, notice, actions, amountCents: amount_cents };
  return { ...request, ...shown, expiresAt: expires_at, settleAt: settle_at };
}

/** `goTo` is where the person's browser goes next; null: the page stays. `reason` is a sentence for the person. */
export type SandboxResult = { ok: true; goTo: string | null } | { ok: false; reason: string };

/**
 * What a person does on the page of a checkout. `cancel` leaves the page and closes nothing; `decline` of a card leaves
 * the checkout open for another one, and a wallet that declines ends it.
 */
export async function actOnSandbox(
  db: Database,
  ref: string,
  action: SandboxAction,
  now: Date,
): Promise<SandboxResult> {
  try {
    const goTo = await withCheckout(db, ref, (checkout) => act(db, checkout, action, now));
    return { ok: true, goTo };
  } catch (error) {
    if (error instanceof PaymentError) return { ok: false, reason: error.message };
    throw error;
  }
}

async function act(
  db: Database,
  checkout: Checkout,
  action: SandboxAction,
  now: Date,
): Promise<string | null> {
  const { successUrl, cancelUrl } = checkout.request;
  if (action === 'cancel') return cancelUrl;
  requireStatus(checkout, 'open', now);
  switch (action) {
    case 'pay':
      await pay(db, checkout, checkout.rail === 'card' ? 'card' : 'chain', now);
      return successUrl;
    case 'pay_later':
      if (isOverBankLimit(checkout))
        return notify(db, checkout, 'This bank transfer is over the limit of the account.');
      await submit(db, checkout, now);
      return successUrl;
    case 'decline':
      if (checkout.rail === 'card') return notify(db, checkout, 'The card was declined. Try another one.');
      await fail(db, checkout, now);
      return cancelUrl;
    case 'expire':
      await close(db, checkout, 'expired', now);
      return null;
  }
}

/** New accounts may take only small bank transfers (B-081). */
const isOverBankLimit = ({ rail, bank_limit_cents: limit, amount_cents: amount }: Checkout) =>
  rail === 'card' && limit !== null && amount > limit;

/** An attempt that did not work: the page stays and says why. */
async function notify(db: Database, { ref }: Checkout, notice: string): Promise<null> {
  await db.q().updateTable('sandbox_checkouts').set({ notice }).where('ref', '=', ref).execute();
  return null;
}
