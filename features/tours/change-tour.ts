import type { Updateable } from 'kysely';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import type { Ctx } from '#platform/context.ts';
import type { DB } from '#platform/db/schema.gen.ts';
import { HOUR } from '#platform/durations.ts';
import { hasErrorCode } from '#platform/errors.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { visibleText } from '#platform/typed-text.ts';
import { announce } from './announce.ts';
import { isBlocked } from './is-blocked.ts';
import { tourLimits } from './limits.ts';
import {
  type ChangeRefusal,
  type ChangeResult,
  NOTE_LIMIT,
  type TourAction,
  type TourSide,
} from './model.ts';
import { ownTour, readTours, type Tour } from './parties.ts';
import { actionsFor, mayHaveTours, outcomeOf } from './rules.ts';

/** How long before a tour its parties are reminded, in milliseconds. */
export const DAY_BEFORE = 24 * HOUR;
export const HOURS_BEFORE = 2 * HOUR;

export interface TourChange {
  tourId: string;
  /** of the state on which it was decided */
  sequence: number;
  /** what the other party reads about it: nothing once either has blocked the other */
  reason?: string;
}

interface Moved {
  action: TourAction;
  /** the new time of a proposal, once the tour is known */
  startsAt?: (tour: Tour) => Date | ChangeRefusal;
}

/**
 * Carries out an action of a party: once, on the state that it was decided on, with audit row, mails, calendar files and notifications.
 * @throws Unauthenticated; NotFound for a tour of others; TooManyRequests
 */
export async function changeTour(
  ctx: Ctx,
  { tourId, sequence, reason = '' }: TourChange,
  { action, startsAt }: Moved,
): Promise<ChangeResult> {
  const user = authorizedUser(ctx, mayHaveTours);
  await ownTour(ctx, user, tourId);
  if (user.suspended) return refused(user.role === 'agent' ? 'read_only' : 'account_suspended');
  const answer = visibleText(reason).trim();
  if (answer.length > NOTE_LIMIT) return refused('too_long');
  await takeTokens(ctx, tourLimits.change, user.id);
  try {
    return await ctx.db.tx(async (): Promise<ChangeResult> => {
      await ctx.db.q().selectFrom('tours').select('id').where('id', '=', tourId).forUpdate().execute();
      const { tour, side } = await ownTour(ctx, user, tourId);
      const status = outcomeOf[action];
      // Sent twice: the first time has done it.
      if (sequence === tour.sequence - 1 && tour.status === status && action !== 'propose')
        return { ok: true };
      if (sequence !== tour.sequence) return refused('changed');
      if (!actionsFor(side, tour.status).includes(action) || tour.startsAt <= ctx.now())
        return refused('impossible');
      if ((action === 'confirm' || action === 'propose') && !tour.property.canBeToured)
        return refused('unavailable');
      const at = startsAt?.(tour) ?? tour.startsAt;
      if (typeof at === 'string') return refused(at);
      const otherId = side === 'buyer' ? tour.seller.userId : tour.buyer.id;
      const isSilent = answer !== '' && (await isBlocked(ctx, user.id, otherId));
      await applyChange(ctx, tour, { action, by: side, at, answer: isSilent ? '' : answer });
      return { ok: true };
    });
  } catch (error) {
    if (hasErrorCode(error, '23505')) return refused('busy');
    throw error;
  }
}

const refused = (reason: ChangeRefusal): ChangeResult => ({ ok: false, reason });

interface Change {
  action: TourAction;
  by: TourSide | 'system';
  at: Date;
  answer: string;
  /** a party that no longer has an account */
  leftOut?: TourSide;
}

/** Writes the new state of a locked tour, in the current transaction, and tells its parties. */
export async function applyChange(
  ctx: Ctx,
  tour: Tour,
  { action, by, at, answer, leftOut }: Change,
): Promise<void> {
  const status = outcomeOf[action];
  const confirmed = action === 'confirm';
  const now = ctx.now();
  const change: Updateable<DB['tours']> = {
    status,
    ended_by: action === 'decline' || action === 'cancel' ? by : null,
    starts_at: at,
    sequence: tour.sequence + 1,
    in_calendars: confirmed,
    changed_at: now,
    ...(!confirmed && { answer }),
    // A reminder whose time has passed is not needed: what is said now says the same.
    ...(confirmed && {
      day_reminder_at: isPast(at, DAY_BEFORE, now) ? now : null,
      hours_reminder_at: isPast(at, HOURS_BEFORE, now) ? now : null,
    }),
  };
  await ctx.db.q().updateTable('tours').set(change).where('id', '=', tour.id).execute();
  await audit(ctx, {
    action: `tour.${action}`,
    entity: 'tour',
    entityId: tour.id,
    before: { status: tour.status, startsAt: tour.startsAt },
    after: { status, startsAt: at },
  });
  const [changed] = await readTours(ctx, (tours) => tours.and([tours('tours.id', '=', tour.id)]));
  if (!changed) throw new Error('The tour is gone');
  await announce(ctx, changed, status, {
    by,
    calendar: confirmed ? 'REQUEST' : tour.inCalendars ? 'CANCEL' : null,
    ...(leftOut && { leftOut }),
  });
}

const isPast = (at: Date, before: number, now: Date) => at.getTime() - before <= now.getTime();
