/** One active service fee as the price rules need it (S0 §3). */
export interface Fee {
  id: string;
  name: string;
  /** integer cents, for fixed fees */
  fixedCents: number | null;
  /** 0–100 with up to three decimals, for percentage fees */
  percent: number | null;
}

export interface FeeLine {
  /** the name with its percentage in brackets, as shown in the ledger */
  label: string;
  name: string;
  cents: number;
}

/** A fee-inclusive price with the lines it is made of. All amounts in integer cents. */
export interface Price {
  baseCents: number;
  lines: FeeLine[];
  totalCents: number;
}
