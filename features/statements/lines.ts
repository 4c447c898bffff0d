import { sellerDueCents } from '#features/ledger/rules.ts';
import type { BalancedLine, LineKind, SellerEntry, StatementLine } from './model.ts';

type Part = Pick<StatementLine, 'kind' | 'text' | 'cents'>;

/** What a ledger entry says to the seller, line by line; the lines add up to what it posts to the seller's accounts. */
export function linesOf(entry: SellerEntry): StatementLine[] {
  const { at, saleId, address, town, payout } = entry;
  const about = { at: at.toISOString(), saleId, address, town };
  return partsOf(entry).map((part) => ({
    ...part,
    ...about,
    ...payoutFacts(part.kind === 'payout' ? payout : null),
  }));
}

const payoutFacts = (payout: SellerEntry['payout']) => ({
  reference: payout?.reference ?? null,
  expectedAt: payout?.expectedAt?.toISOString() ?? null,
  paidAt: payout?.paidAt?.toISOString() ?? null,
});

function partsOf(entry: SellerEntry): Part[] {
  if (entry.kind === 'L2') return releaseParts(entry);
  const { kind, payableCents: payable, receivableCents: receivable } = entry;
  const parts: Part[] = [];
  const add = (cents: number, [line, text]: [LineKind, string]) => {
    if (cents !== 0) parts.push({ kind: line, text, cents });
  };
  switch (kind) {
    case 'L3':
      add(payable, payable < 0 ? ['payout', 'Payout'] : ['payout_back', 'Payout failed or came back']);
      add(receivable, ['settled', 'Taken back from your account']);
      break;
    case 'L4':
      add(payable, ['refund', payable < 0 ? 'Refunded to the buyer' : 'Refund came back']);
      add(receivable, [
        'claw_back',
        receivable < 0
          ? 'Claw-back: refunded to the buyer after your payout'
          : 'Claw-back: the refund came back',
      ]);
      break;
    case 'L5':
      add(payable, [
        'dispute',
        payable < 0 ? "Taken back by the buyer's bank" : "Returned by the buyer's bank",
      ]);
      add(receivable, [
        'claw_back',
        receivable < 0
          ? "Claw-back: taken back by the buyer's bank after your payout"
          : "Claw-back: returned by the buyer's bank",
      ]);
      break;
    case 'L7':
      add(payable, ['offset', payable < 0 ? 'Set off against what you owe' : 'Set off no longer']);
      add(receivable, [
        'settled',
        receivable > 0 ? 'Settled from a payout' : 'Owed again: the payout did not arrive',
      ]);
      break;
    default:
      add(payable + receivable, ['correction', 'Correction']);
  }
  return parts;
}

/** The share of what is released, less the seller's fees, which never exceed it. */
function releaseParts({
  payableCents,
  receivableCents,
  releasedCents,
  basePriceCents,
  shareCents,
  fees,
}: SellerEntry): Part[] {
  const net = payableCents + receivableCents;
  const gross = sellerDueCents(
    { basePriceCents, buyerFeesCents: 0, agentCommissionCents: shareCents, sellerFeesCents: 0 },
    releasedCents,
  );
  const parts: Part[] = [{ kind: 'share', text: 'Your share', cents: gross }];
  let left = gross - net;
  for (const { label, cents } of fees) {
    const taken = Math.min(cents, left);
    left -= taken;
    if (taken > 0) parts.push({ kind: 'fee', text: label, cents: -taken });
  }
  if (left !== 0) parts.push({ kind: 'fee', text: 'Fees', cents: -left });
  return parts;
}

/** The lines with the balance after each, from a balance on. */
export function withBalances(lines: readonly StatementLine[], openingCents: number): BalancedLine[] {
  let balance = openingCents;
  return lines.map((line) => {
    balance += line.cents;
    return { ...line, balanceCents: balance };
  });
}

/** What a month came to, by what it was. Cents. */
export interface MonthTotals {
  earnedCents: number;
  feesCents: number;
  takenBackCents: number;
  paidOutCents: number;
}

const KINDS = {
  earnedCents: ['share', 'correction'],
  feesCents: ['fee'],
  takenBackCents: ['refund', 'dispute', 'claw_back', 'offset', 'settled'],
  paidOutCents: ['payout', 'payout_back'],
} as const satisfies Record<keyof MonthTotals, readonly LineKind[]>;

export function totalsOf(lines: readonly StatementLine[]): MonthTotals {
  const sum = (kinds: readonly LineKind[]) =>
    lines.reduce((total, { kind, cents }) => (kinds.includes(kind) ? total + cents : total), 0);
  return {
    earnedCents: sum(KINDS.earnedCents),
    feesCents: sum(KINDS.feesCents),
    takenBackCents: sum(KINDS.takenBackCents),
    paidOutCents: sum(KINDS.paidOutCents),
  };
}
