import type { Ctx } from '#platform/context.ts';
import { changeTour, type TourChange } from '../change-tour.ts';
import type { ChangeResult } from '../model.ts';

/**
 * Declines a tour that was asked for, by its seller. Its time is free again.
 * @throws Unauthenticated; NotFound for a tour of others; TooManyRequests
 */
export const declineTour = (ctx: Ctx, change: TourChange): Promise<ChangeResult> =>
  changeTour(ctx, change, { action: 'decline' });
