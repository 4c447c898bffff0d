import type { Ctx } from '#platform/context.ts';
import { changeTour, type TourChange } from '../change-tour.ts';
import type { ChangeResult } from '../model.ts';

/**
 * Cancels a tour, by either party. Its time is free again; if it was in their calendars, both get a file that takes it out.
 * @throws Unauthenticated; NotFound for a tour of others; TooManyRequests
 */
export const cancelTour = (ctx: Ctx, change: TourChange): Promise<ChangeResult> =>
  changeTour(ctx, change, { action: 'cancel' });
