import { adminPercentage } from '#features/commission/reads.ts';
import type { Ctx } from '#platform/context.ts';

/** The seller's share in percent of sellers without a rate of their own: what the general percentage of the platform leaves. */
export const defaultCommissionRate = async (ctx: Ctx): Promise<number> =>
  Math.round((100 - (await adminPercentage(ctx))) * 1000) / 1000;
