import { payoutRefusalText } from '#features/payouts/display.ts';
import { type PayoutRefusal, payoutRefusals } from '#features/payouts/model.ts';

/** What only runs refuse for. */
const ownReasons: Readonly<Record<string, string>> = {
  in_run: 'This payout is in another run already.',
  unavailable: 'The payment provider is not responding. Please try again.',
  fault: 'Something went wrong. Please try again.',
};

/** Why a sale of a run is not paid, in words for administrators. */
export function refusedBecause(
  reason: string,
  facts: { sellerName: string; saleId: string; until: Date | null },
): string {
  const refusal = payoutRefusals.find((one): one is PayoutRefusal => one === reason);
  return refusal ? payoutRefusalText(refusal, facts) : (ownReasons[reason] ?? ownReasons.fault ?? '');
}
