import type { CheckoutState } from '#gateways/payments/port.ts';
import { Draft } from './draft.ts';
import { planDisputes } from './plan-disputes.ts';
import { planPayment } from './plan-payment.ts';
import { planRefunds } from './plan-refunds.ts';
import { planSettlement } from './plan-settlement.ts';
import { planTranches } from './plan-tranches.ts';
import type { Change, SaleImage } from './sale-image.ts';

/**
 * What a provider's answer means for a sale: facts about money to post, refunds and disputes to record, the events that follow
 * from them, and breaks where the sale cannot follow. Facts are recorded in whatever state the sale is. The same answer again,
 * or an older one, yields nothing new, so that reordered, repeated and lost messages do not matter (R3). Pure.
 * @returns the changes in order, and the image after them
 */
export function planSync(image: SaleImage, checkout: CheckoutState): { changes: Change[]; image: SaleImage } {
  const draft = new Draft(image);
  if (checkout.tranches.length > 0) planTranches(draft, checkout);
  else planPayment(draft, checkout);
  // Before the refunds: what a bank has taken is not refunded again.
  planDisputes(draft, checkout);
  planRefunds(draft, checkout);
  planSettlement(draft);
  return { changes: draft.changes, image: draft.image };
}
