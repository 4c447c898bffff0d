import type { PayoutSource } from '#gateways/payouts/port.ts';

/** What is left of payments after so many cents were drawn on them, the oldest first. */
export function leftOf(payments: readonly PayoutSource[], drawnCents: number): PayoutSource[] {
  let drawn = drawnCents;
  const left: PayoutSource[] = [];
  for (const { paymentRef, amountCents } of payments) {
    const taken = Math.min(drawn, amountCents);
    drawn -= taken;
    if (amountCents > taken) left.push({ paymentRef, amountCents: amountCents - taken });
  }
  return left;
}

/** What a payout draws on each of its sources, the oldest first; what they do not cover comes out of the balance. Cents. */
export function drawOn(sources: readonly PayoutSource[], amountCents: number): PayoutSource[] {
  let open = amountCents;
  const drawn: PayoutSource[] = [];
  for (const { paymentRef, amountCents: left } of sources) {
    const cents = Math.min(open, left);
    if (cents > 0) drawn.push({ paymentRef, amountCents: cents });
    open -= cents;
  }
  return drawn;
}
