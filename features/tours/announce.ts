import type { Ctx } from '#platform/context.ts';
import { publish } from '#platform/events/events.ts';
import type { CalendarMethod } from './calendar-file.ts';
import { mailTour } from './mails.ts';
import type { TourSide } from './model.ts';
import type { Tour } from './parties.ts';
import { notificationText, type TourEvent, tourEventText } from './tour-events.ts';

const sides = ['buyer', 'seller'] as const;

interface Announcement {
  /** whose doing it is: not notified, and mailed only what their calendar needs */
  by: TourSide | 'system';
  /** the file that goes to both parties */
  calendar?: CalendarMethod | null;
  /** a party that no longer has an account */
  leftOut?: TourSide;
}

/** Tells the parties of a tour what happened to it, by email, bell and live event, in the current transaction. */
export async function announce(
  ctx: Ctx,
  tour: Tour,
  event: TourEvent,
  { by, calendar = null, leftOut }: Announcement,
): Promise<void> {
  for (const side of sides) {
    const userId = side === 'buyer' ? tour.buyer.id : tour.seller.userId;
    if (userId === null || side === leftOut) continue;
    await publish(ctx, { audience: `user:${userId}`, type: 'tour.changed', payload: { tour: tour.id } });
    if (side !== by) await notify(ctx, tour, userId, notificationText(tour, event, side, ctx.now()));
    if (side !== by || calendar)
      await mailTour(ctx, tour, side, event, { ...mailText(ctx, tour, event, side), calendar });
  }
}

const mailText = (ctx: Ctx, tour: Tour, event: TourEvent, side: TourSide) => {
  const { title, paragraphs } = tourEventText(tour, event, side, ctx.now());
  return { heading: title, paragraphs };
};

/** Writes a row of the bell. Its mail is another one, so none is due with the updates of watched properties. */
async function notify(ctx: Ctx, tour: Tour, userId: string, message: string): Promise<void> {
  const at = ctx.now();
  const { id } = await ctx.db
    .q()
    .insertInto('property_notifications')
    .values({
      user_id: userId,
      property_id: tour.property.id,
      notification_type: 'tour',
      message,
      created_at: at,
      settles_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await publish(ctx, {
    audience: `user:${userId}`,
    type: 'notification.new',
    payload: { id, property: tour.property.id, type: 'tour', message },
  });
}
