import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import type { SaleAmounts } from '#features/ledger/model.ts';

/** A fee as applied to one sale; integer cents. */
interface AppliedFee {
  feeId: string;
  name: string;
  percent: number | null;
  appliesTo: 'buyer' | 'seller';
  cents: number;
}

/** All amounts of a sale, fixed when it starts. Integer cents, percent 0–100. */
export interface SaleTerms extends SaleAmounts {
  adminPercentage: number;
  /** what the buyer is charged */
  totalCents: number;
  fees: AppliedFee[];
}

/** round(sale_price × (100 − admin_percentage) / 100), half up. */
export function agentCommissionCents(basePriceCents: number, adminPercentage: number): number {
  const thousandths = BigInt(100_000 - Math.round(adminPercentage * 1000));
  return Number((BigInt(basePriceCents) * thousandths + 50_000n) / 100_000n);
}

/** The platform's percentage: 100 minus the seller's individual share if there is one, else the general percentage. */
export function adminPercentageFor(sellerShare: number | null, defaultPercentage: number): number {
  return sellerShare === null ? defaultPercentage : (100_000 - Math.round(sellerShare * 1000)) / 1000;
}

/**
 * The amounts of a sale, computed from the base price and the current fees. The seller's fees are deducted from the
 * seller's share and never exceed it.
 */
export function saleTerms(
  basePriceCents: number,
  fees: { buyer: readonly Fee[]; seller: readonly Fee[] },
  adminPercentage: number,
): SaleTerms {
  const apply = (appliesTo: 'buyer' | 'seller') => (fee: Fee) => ({
    feeId: fee.id,
    name: fee.name,
    percent: fee.percent,
    appliesTo,
    cents: feeCents(basePriceCents, fee),
  });
  const agentCommission = agentCommissionCents(basePriceCents, adminPercentage);
  const buyer = fees.buyer.map(apply('buyer'));
  let remaining = agentCommission;
  const seller = fees.seller.map(apply('seller')).map((fee) => {
    const cents = Math.min(fee.cents, remaining);
    remaining -= cents;
    return { ...fee, cents };
  });
  const sum = (list: AppliedFee[]) => list.reduce((total, { cents }) => total + cents, 0);
  return {
    basePriceCents,
    buyerFeesCents: sum(buyer),
    agentCommissionCents: agentCommission,
    sellerFeesCents: sum(seller),
    adminPercentage,
    totalCents: basePriceCents + sum(buyer),
    fees: [...buyer, ...seller],
  };
}
