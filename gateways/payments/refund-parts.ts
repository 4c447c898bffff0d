import { PaymentError, type RefundState } from './port.ts';

/** What can still be refunded of a tranche. Cents. */
export interface Room {
  /** the tranche */
  ref: string;
  cents: number;
}

/**
 * Draws a refund on tranches, the oldest first.
 * @throws PaymentError `limit` when they do not cover it
 */
export function drawRefund(rooms: readonly Room[], amountCents: number): Room[] {
  let open = amountCents;
  const parts = rooms.map(({ ref, cents }) => {
    const taken = Math.max(0, Math.min(open, cents));
    open -= taken;
    return { ref, cents: taken };
  });
  if (open > 0) throw new PaymentError('limit', 'More than what is left of the payment');
  return parts.filter(({ cents }) => cents > 0);
}

type Part = Pick<RefundState, 'status' | 'amountCents'>;

/** One refund out of its parts, of which there is at least one. */
export function combinedRefund(
  { ref, key }: Pick<RefundState, 'ref' | 'key'>,
  parts: readonly Part[],
): RefundState {
  const those = (status: RefundState['status']) => parts.filter((part) => part.status === status);
  const sum = (list: readonly Part[]) => list.reduce((total, part) => total + part.amountCents, 0);
  if (those('pending').length > 0)
    return { ref, key, status: 'pending', amountCents: sum(parts) - sum(those('failed')) };
  return those('succeeded').length > 0
    ? { ref, key, status: 'succeeded', amountCents: sum(those('succeeded')) }
    : { ref, key, status: 'failed', amountCents: sum(parts) };
}
