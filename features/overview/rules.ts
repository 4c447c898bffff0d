import type { SaleState } from '#features/sales/model.ts';
import { payoutStatusBadge } from '#features/sales/rules.ts';
import { hasRole, nobody } from '#platform/access.ts';

/** Only administrators see the figures of the whole marketplace. */
export const maySeeTotals = hasRole('admin');

/** Figures are summed up by a scheduled job only. */
export const maySumUp = nobody;

/** Only administrators do this work. */
export const maySeeWork = hasRole('admin');

/** '80.0%': a percentage with one decimal. */
export const ratePercent = (percent: number): string => `${percent.toFixed(1)}%`;

/** The badge of a payout; null while there is nothing to pay out. */
export const payoutBadge = (state: SaleState) => (state.payout === null ? null : payoutStatusBadge(state));
