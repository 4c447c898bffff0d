import type { Database } from '#platform/db/database.ts';
import { PaymentError, type Tranche } from '../port.ts';
import type { Checkout } from './checkout.ts';
import { TRANSFER_LIMITS } from './rules.ts';
import { readTranches, receiveTranche } from './tranches.ts';

/** What the payer's bank can be told on the page of a payment in parts. */
export const TRANSFER_ACTIONS = ['send', 'send_rest', 'send_too_much', 'send_late'] as const;
type TransferAction = (typeof TRANSFER_ACTIONS)[number];

/** What is sent beyond what is missing, or after the end. */
const EXTRA_CENTS = 100_000;

/** Where to send transfers, and what has arrived. Cents. */
export interface SandboxTransfer {
  bank: string;
  routingNumber: string;
  accountNumber: string;
  /** what the payer names, so that the transfer is recognized */
  reference: string;
  tranches: Tranche[];
  receivedCents: number;
  missingCents: number;
  /** the most that one transfer carries */
  trancheCents: number;
}

export const isTransferAction = (action: string): action is TransferAction =>
  TRANSFER_ACTIONS.some((one) => one === action);

const missingIn = ({ amount_cents, received_cents }: Checkout) => Math.max(0, amount_cents - received_cents);

export async function readTransfer(db: Database, checkout: Checkout): Promise<SandboxTransfer> {
  const digits = BigInt(`0x${checkout.ref.slice(-12)}`)
    .toString()
    .padStart(15, '0');
  return {
    bank: 'Sandbox Bank',
    routingNumber: '110000000',
    accountNumber: digits.slice(-12),
    reference: checkout.ref.slice(-8).toUpperCase(),
    tranches: await readTranches(db, checkout.ref),
    receivedCents: checkout.received_cents,
    missingCents: missingIn(checkout),
    trancheCents: trancheCents(),
  };
}

const trancheCents = () => TRANSFER_LIMITS.trancheCents ?? TRANSFER_LIMITS.maxCents;

/** Once it is complete or closed a transfer can only be late. */
export const transferActions = ({ status }: Checkout): readonly TransferAction[] =>
  status === 'open' ? ['send', 'send_rest', 'send_too_much'] : ['send_late'];

/**
 * Sends transfers of at most the amount that one carries.
 * @returns null, to stay on the page
 * @throws PaymentError `conflict` for an action that is not offered
 */
export async function performTransferAction(
  db: Database,
  checkout: Checkout,
  action: string,
  now: Date,
): Promise<null> {
  const possible = transferActions(checkout).find((one) => one === action);
  if (!checkout.in_parts || !possible)
    throw new PaymentError('conflict', `This checkout is ${checkout.status}.`);
  const missing = missingIn(checkout);
  const toSend: Record<TransferAction, number> = {
    send: Math.min(missing, trancheCents()),
    send_rest: missing,
    send_too_much: missing + EXTRA_CENTS,
    send_late: EXTRA_CENTS,
  };
  let current = checkout;
  for (let left = toSend[possible]; left > 0; left -= trancheCents())
    current = await receiveTranche(db, current, Math.min(left, trancheCents()), now);
  return null;
}
