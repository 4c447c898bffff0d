import { netPayout, type OwedBySeller } from '#features/ledger/claw-back.ts';
import type { Debts } from '#features/payouts/debts.ts';
import type { HeldReason, NotPlanned, Obstacle, PlannedPayout, RunMethod } from './model.ts';

/** A sale that was selected, as the books and its seller are now. Cents. */
export interface Selected {
  saleId: string;
  seller: { id: string; name: string };
  address: string;
  /** what the seller is owed for the sale */
  owedCents: number;
  method: RunMethod | null;
  status: 'pending' | 'processing' | 'completed' | 'failed' | null;
  livemode: boolean;
  /** the payment and the provider of the method are both live, or both test */
  rightMode: boolean;
  inRun: boolean;
  held: HeldReason | null;
  until: Date | null;
  obstacle: Obstacle | null;
}

/**
 * What would be paid of a selection, in its order: each seller's debts are set off against the first payouts of theirs in the same
 * mode, the oldest debt first, as each payout will when it is made.
 * @param byHand whether a method has no provider
 */
export function planPayouts(
  selected: readonly Selected[],
  debts: Debts,
  byHand: (method: RunMethod) => boolean,
): { payouts: PlannedPayout[]; refused: NotPlanned[]; totalCents: number } {
  const left = new Map<string, readonly OwedBySeller[]>();
  const payouts: PlannedPayout[] = [];
  const refused: NotPlanned[] = [];
  for (const one of selected) {
    const { saleId, seller, address, owedCents, livemode, until } = one;
    const debtor = `${seller.id} ${livemode}`;
    const owes = left.get(debtor) ?? debts.of({ agentId: seller.id, livemode });
    const { payCents, netted } = netPayout(owedCents, owes);
    const verdict = verdictOn(one, { isNothing: payCents === 0, byHand });
    if (!verdict.ok) {
      refused.push({
        saleId,
        seller,
        address,
        amountCents: owedCents,
        reason: verdict.reason,
        until: until?.toISOString() ?? null,
      });
      continue;
    }
    left.set(debtor, lessThan(owes, netted));
    payouts.push({
      saleId,
      seller,
      address,
      method: verdict.method,
      amountCents: payCents,
      withheldCents: owedCents - payCents,
    });
  }
  return { payouts, refused, totalCents: totalOf(payouts) };
}

/** What payouts come to, in cents. */
export const totalOf = (payouts: readonly PlannedPayout[]): number =>
  payouts.reduce((sum, { amountCents }) => sum + amountCents, 0);

function verdictOn(
  { status, rightMode, inRun, held, obstacle, method }: Selected,
  { isNothing, byHand }: { isNothing: boolean; byHand: (method: RunMethod) => boolean },
): { ok: true; method: RunMethod | null } | { ok: false; reason: NotPlanned['reason'] } {
  if (status === 'processing') return { ok: false, reason: 'already_processing' };
  if (status !== 'pending') return { ok: false, reason: 'not_open' };
  if (inRun) return { ok: false, reason: 'in_run' };
  if (held) return { ok: false, reason: held };
  if (isNothing) return { ok: true, method: null };
  if (obstacle) return { ok: false, reason: obstacle };
  if (method === null) return { ok: false, reason: 'no_method' };
  if (!rightMode) return { ok: false, reason: 'wrong_mode' };
  return { ok: true, method: byHand(method) ? 'manual' : method };
}

/** What is still owed after some of it was set off. */
const lessThan = (owes: readonly OwedBySeller[], netted: readonly OwedBySeller[]): OwedBySeller[] =>
  owes.flatMap(({ saleId, cents }) => {
    const settled = netted.find((one) => one.saleId === saleId)?.cents ?? 0;
    return cents > settled ? [{ saleId, cents: cents - settled }] : [];
  });
