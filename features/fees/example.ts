import { asFee, type FeeSide, type FeeValues, type ManagedFee } from './managed.ts';
import { feeCents, feeLabel } from './rules.ts';

/** The base price of the example beside the form. */
export const EXAMPLE_CENTS = 500_000_00;

interface ExampleLine {
  label: string;
  /** what it adds or, for sellers, takes off; integer cents */
  cents: number;
  /** the fee that is being edited */
  edited: boolean;
}

interface ExampleSum {
  lines: ExampleLine[];
  totalCents: number;
}

/** What a fee means for a sale of $500,000; null for a side that does not pay it. */
export interface FeeExample {
  buyer: ExampleSum | null;
  seller: ExampleSum | null;
}

/**
 * The example with the fee as it is typed, as if it were active, among the other active fees, in the order of a price.
 * @param fees all fees, the edited one among them as it is stored
 * @param id the edited fee, null for a new one, which comes last
 * @param sellerShareCents the seller's share of the example, before fees
 */
export function feeExample(
  typed: Omit<FeeValues, 'type' | 'active'>,
  {
    fees,
    id,
    sellerShareCents,
  }: { fees: readonly ManagedFee[]; id: string | null; sellerShareCents: number },
): FeeExample {
  const linesOf = (side: FeeSide) => {
    const others = fees
      .filter((fee) => fee.id === id || (fee.active && fee.appliesTo.includes(side)))
      .sort((one, other) => one.position - other.position);
    const all = others.some((fee) => fee.id === id) ? others : [...others, null];
    return all.map((fee) => {
      const edited = fee === null || fee.id === id;
      const shown = edited ? { id: '', ...typed } : asFee(fee);
      return { label: feeLabel(shown), cents: feeCents(EXAMPLE_CENTS, shown), edited };
    });
  };
  const applies = (side: FeeSide) => typed.appliesTo.includes(side);
  return {
    buyer: applies('buyer') ? added(linesOf('buyer')) : null,
    seller: applies('seller') ? deducted(linesOf('seller'), sellerShareCents) : null,
  };
}

const added = (lines: ExampleLine[]): ExampleSum => ({
  lines,
  totalCents: lines.reduce((sum, { cents }) => sum + cents, EXAMPLE_CENTS),
});

/** Never more than there is, the first fee first. */
function deducted(lines: ExampleLine[], shareCents: number): ExampleSum {
  let left = shareCents;
  const taken = lines.map((line) => {
    const cents = Math.min(line.cents, left);
    left -= cents;
    return { ...line, cents };
  });
  return { lines: taken, totalCents: left };
}
