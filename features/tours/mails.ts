import { layoutMail } from '#features/settings/mails.ts';
import { brandName, supportAddress } from '#features/settings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { queueMail } from '#platform/outbox/outbox.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { type CalendarMethod, tourCalendar } from './calendar-file.ts';
import type { TourSide } from './model.ts';
import type { Tour } from './parties.ts';
import type { TourEvent } from './tour-events.ts';

const FOOTER = 'You are receiving this email because of a tour of a property.';

/** The page on which a party answers or cancels a tour. */
const toursUrl = (ctx: Ctx, side: TourSide): string =>
  ctx.config.publicUrl + (side === 'buyer' ? tourPaths.ofBuyer() : tourPaths.ofSeller());

/** A tour as a file for the calendar of one of its parties. */
export async function calendarFor(
  ctx: Ctx,
  tour: Tour,
  side: TourSide,
  method: CalendarMethod,
): Promise<string> {
  const { name, email } = tour[side];
  const { property } = tour;
  return tourCalendar(
    {
      ...tour,
      address: [property.address, property.town].filter(Boolean).join(', '),
      url: toursUrl(ctx, side),
    },
    {
      method,
      host: new URL(ctx.config.publicUrl).hostname,
      organizer: { name: await brandName(ctx), email: await supportAddress(ctx) },
      attendee: { name, email },
    },
  );
}

interface TourMail {
  heading: string;
  paragraphs: string[];
  /** a calendar file goes with it */
  calendar: CalendarMethod | null;
}

/** Mails one party what happened to a tour, once for each state and kind of event. */
export async function mailTour(
  ctx: Ctx,
  tour: Tour,
  side: TourSide,
  event: TourEvent,
  { heading, paragraphs, calendar }: TourMail,
): Promise<void> {
  const { name, email } = tour[side];
  await queueMail(ctx, {
    idempotencyKey: `tour:${tour.id}:${tour.sequence}:${event}:${side}`,
    to: { address: email, name },
    subject: heading,
    ...(calendar && {
      calendar: { method: calendar, file: await calendarFor(ctx, tour, side, calendar) },
    }),
    ...(await layoutMail(ctx, {
      heading,
      paragraphs,
      button: { label: 'Open your tours', url: toursUrl(ctx, side) },
      footer: FOOTER,
    })),
  });
}
