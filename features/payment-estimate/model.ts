/** What a monthly payment depends on besides the price, as typed; also the names of its parameters in the URL. */
export const assumptionNames = ['down', 'rate', 'years', 'tax', 'insurance', 'dues'] as const;
export type AssumptionName = (typeof assumptionNames)[number];
export type TypedAssumptions = Record<AssumptionName, string>;

/** Percentages in thousandths of a percent (6.75 % is 6,750), money in integer cents. */
export interface Assumptions {
  /** of the price */
  down: number;
  /** a year, fixed */
  rate: number;
  years: number;
  /** of the price, a year */
  tax: number;
  /** of the price, a year */
  insurance: number;
  /** a month */
  dues: number;
}

/** A month of it; integer cents. */
export interface PaymentEstimate {
  downCents: number;
  loanCents: number;
  /** principal and interest */
  loanPaymentCents: number;
  taxCents: number;
  insuranceCents: number;
  duesCents: number;
  monthlyCents: number;
}
