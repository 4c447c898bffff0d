/** An active service fee, as needed to compute prices. */
export interface Fee {
  id: string;
  name: string;
  /** integer cents, for fixed fees */
  fixedCents: number | null;
  /** 0–100 with up to three decimals, for percentage fees */
  percent: number | null;
}

interface FeeLine {
  /** the name with its percentage in parentheses, as shown in the price breakdown */
  label: string;
  name: string;
  cents: number;
}

/** A fee-inclusive price with its lines. All amounts in integer cents. */
export interface Price {
  baseCents: number;
  lines: FeeLine[];
  totalCents: number;
}
