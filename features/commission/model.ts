/** The platform's share of a sale when none is configured; percent of the base price. */
export const DEFAULT_ADMIN_PERCENTAGE = 20;

/** The platform's share of sales by sellers without a rate of their own, in percent 0–100. Days are UTC, YYYY-MM-DD. */
export interface Commission {
  percent: number;
  /** null: since the beginning */
  effectiveFrom: string | null;
  /** the change that is planned */
  next: { percent: number; from: string } | null;
}
