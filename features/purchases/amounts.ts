import type { Fee } from '#features/fees/model.ts';
import { feeCents } from '#features/fees/rules.ts';
import type { SaleAmounts } from '#features/ledger/model.ts';

/** A fee as it is applied to one sale; integer cents. */
export interface AppliedFee {
  feeId: string;
  name: string;
  percent: number | null;
  appliesTo: 'buyer' | 'seller';
  cents: number;
}

/** Every amount of a sale, from which all later ones follow. Integer cents, percent 0–100. */
export interface SaleTerms extends SaleAmounts {
  adminPercentage: number;
  /** what the buyer is charged */
  totalCents: number;
  fees: AppliedFee[];
}

/** round(sale_price × (100 − admin_percentage) / 100), half up (B-069). */
export function agentCommissionCents(basePriceCents: number, adminPercentage: number): number {
  const thousandths = BigInt(100_000 - Math.round(adminPercentage * 1000));
  return Number((BigInt(basePriceCents) * thousandths + 50_000n) / 100_000n);
}

/** The platform's percentage: the rest of the seller's own share where one is set, else the general one (B-070, B-151). */
export function adminPercentageFor(sellerShare: number | null, general: number): number {
  return sellerShare === null ? general : (100_000 - Math.round(sellerShare * 1000)) / 1000;
}

/**
 * What a sale is made of, from the base price and the fees at this moment (B-067, B-069). Fees of the seller are taken off
 * the seller's share and never exceed it.
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
  let left = agentCommission;
  const seller = fees.seller.map(apply('seller')).map((fee) => {
    const cents = Math.min(fee.cents, left);
    left -= cents;
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

/** Dollars as a call names them, '1234.5' or 1234.5, in cents; null for anything that is no amount of whole cents. */
export function centsOf(amount: number | string): number | null {
  const [, dollars, cents = ''] = /^(\d{1,12})(?:\.(\d{1,2}))?$/.exec(String(amount).trim()) ?? [];
  return dollars === undefined ? null : Number(dollars) * 100 + Number(cents.padEnd(2, '0'));
}
