import { randomUUID } from 'node:crypto';
import { acceptMismatch, returnMismatch } from '#features/payments/commands/decide-mismatch.ts';
import { recognizeRefund } from '#features/payments/commands/recognize-refund.ts';
import { refundSale } from '#features/payments/commands/refund-sale.ts';
import type { PartyEvent } from '#features/sales/model.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type BookedSale, type Books, pick, randomInteger } from './books.ts';

const acts: readonly ['buyer' | 'seller' | 'admin', PartyEvent][] = [
  ['seller', 'deliver_documents'],
  ['buyer', 'confirm_closing'],
  ['admin', 'release'],
  ['buyer', 'request_cancellation'],
  ['seller', 'agree_cancellation'],
  ['seller', 'decline_cancellation'],
  ['admin', 'cancel_sale'],
  ['buyer', 'report_problem'],
  ['admin', 'resolve_problem'],
];

/** Somebody tries to decide something about a sale; the sale says whether that is possible now. */
export async function decide(
  { saleScenario, random }: Books,
  { id: saleId, amounts }: BookedSale,
): Promise<void> {
  const admin = saleScenario.contextFor(saleScenario.admin);
  const note = random() < 0.8 ? 'A reason.' : '';
  const dice = random();
  if (dice < 0.4) {
    const [who, event] = pick(random, acts) ?? ['admin', 'release'];
    await saleScenario.act(
      { buyer: saleScenario.buyer, seller: saleScenario.seller, admin: saleScenario.admin }[who],
      saleId,
      event,
    );
  } else if (dice < 0.6)
    await refundSale(admin, {
      saleId,
      baseCents: randomInteger(random, 0, amounts.basePriceCents),
      feesCents: randomInteger(random, 0, amounts.buyerFeesCents),
      reason: note,
      idempotencyKey: randomUUID(),
    });
  else if (dice < 0.75) {
    const accepted = await acceptMismatch(admin, { saleId, note });
    if (accepted.ok && accepted.awaitingApproval && random() < 0.7)
      await acceptMismatch(saleScenario.contextFor(await createUser(saleScenario.db, 'admin')), {
        saleId,
        note,
      });
  } else if (dice < 0.85) await returnMismatch(admin, { saleId, note });
  else await recognizeRefund(admin, { saleId, note });
}
