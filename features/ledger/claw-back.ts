/** What a seller owes for a sale whose money went back to the buyer after the payout; cents. */
export interface OwedBySeller {
  saleId: string;
  cents: number;
}

/** A payout less what the seller owes. */
export interface NettedPayout {
  /** what is sent */
  payCents: number;
  /** what it settles, each at most what was owed */
  netted: OwedBySeller[];
}

/** Nets what a seller owes, oldest first, from what the seller is to be paid; never below zero. */
export function netPayout(payableCents: number, owed: readonly OwedBySeller[]): NettedPayout {
  let payCents = payableCents;
  const netted: OwedBySeller[] = [];
  for (const { saleId, cents } of owed) {
    const settled = Math.min(payCents, cents);
    if (settled <= 0) continue;
    payCents -= settled;
    netted.push({ saleId, cents: settled });
  }
  return { payCents, netted };
}
