import type { Ctx } from '#platform/context.ts';
import { changeTour, type TourChange } from '../change-tour.ts';
import type { ChangeResult } from '../model.ts';

/**
 * Confirms a tour: the seller one that was asked for, the buyer one whose time the seller proposed. Both get it for their calendars.
 * @throws Unauthenticated; NotFound for a tour of others; TooManyRequests
 */
export const confirmTour = (
  ctx: Ctx,
  change: Pick<TourChange, 'tourId' | 'sequence'>,
): Promise<ChangeResult> => changeTour(ctx, change, { action: 'confirm' });
