import type { Ctx } from '#platform/context.ts';
import { changeTour, type TourChange } from '../change-tour.ts';
import { type ChangeRefusal, type ChangeResult, LEAD_MS, PROPOSED_AHEAD_MS } from '../model.ts';
import type { Tour } from '../parties.ts';
import { instantOf, isDay } from '../wall-clock.ts';

interface Proposal extends TourChange {
  /** 'YYYY-MM-DD', and minutes after midnight, by the clock of the property's place */
  day: string;
  minutes: number;
}

/**
 * Proposes another time for a tour, by its seller, also outside the hours that buyers see: a full or half hour within 60 days. It takes
 * place once the buyer confirms it; the time before is free again.
 * @throws Unauthenticated; NotFound for a tour of others; TooManyRequests
 */
export const proposeTour = (ctx: Ctx, { day, minutes, ...change }: Proposal): Promise<ChangeResult> =>
  changeTour(ctx, change, { action: 'propose', startsAt: (tour) => proposedTime(ctx, tour, day, minutes) });

function proposedTime(ctx: Ctx, tour: Tour, day: string, minutes: number): Date | ChangeRefusal {
  if (!isDay(day) || !Number.isInteger(minutes) || minutes < 0 || minutes >= 1440 || minutes % 30 !== 0)
    return 'no_time';
  const at = instantOf(day, minutes, tour.zone);
  if (!at) return 'no_time';
  const ahead = at.getTime() - ctx.now().getTime();
  if (ahead < LEAD_MS || ahead > PROPOSED_AHEAD_MS) return 'past';
  // The same time again is no other time.
  return at.getTime() === tour.startsAt.getTime() ? 'no_time' : at;
}
