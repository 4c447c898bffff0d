import type { TourSide } from './model.ts';
import type { Tour } from './parties.ts';
import { dayIn, momentIn } from './wall-clock.ts';

/** What happens to a tour; `day` and `hours` are reminders. */
export type TourEvent =
  | 'requested'
  | 'confirmed'
  | 'proposed'
  | 'declined'
  | 'cancelled'
  | 'lapsed'
  | 'day'
  | 'hours';

interface TourEventText {
  /** the subject of the mail and the text of the notification, before the time */
  title: string;
  paragraphs: string[];
}

const quoted = (who: string, text: string) => (text ? [`${who} wrote: ${text}`] : []);

/** What one party is told about a tour at a time, in words. */
export function tourEventText(tour: Tour, event: TourEvent, to: TourSide, now: Date): TourEventText {
  const { property, buyer, seller, answer } = tour;
  const when = momentIn(tour.startsAt, tour.zone);
  const about = property.address;
  const other = to === 'buyer' ? seller.name : buyer.name;
  // Mail programs turn addresses in a text into links, so an account that is not confirmed sends none.
  const note = buyer.verified ? quoted(buyer.name, tour.note) : [];
  const words = tour.endedBy === 'buyer' && !buyer.verified ? [] : quoted(other, answer);
  const place = [`When: ${when}.`, `Where: ${[about, property.town].filter(Boolean).join(', ')}.`];
  switch (event) {
    case 'requested':
      return {
        title: `New tour request for ${about}`,
        paragraphs: [`${buyer.name} would like to see the property.`, ...place, ...note],
      };
    case 'confirmed':
      return {
        title: `Tour confirmed: ${about}`,
        paragraphs: [...place, `${other} meets you there. The tour takes half an hour.`],
      };
    case 'proposed':
      return to === 'buyer'
        ? {
            title: `Another time for your tour of ${about}`,
            paragraphs: [
              `${seller.name} proposes another time. Please confirm it or cancel the tour.`,
              ...place,
              ...words,
            ],
          }
        : {
            title: `You proposed another time: ${about}`,
            paragraphs: ['The tour is not confirmed until the buyer accepts the new time.', ...place],
          };
    case 'declined':
      return {
        title: `Tour declined: ${about}`,
        paragraphs: [`${seller.name} cannot offer this tour.`, ...place, ...words],
      };
    case 'cancelled':
      return {
        title: `Tour cancelled: ${about}`,
        paragraphs: [
          tour.endedBy === to
            ? 'You cancelled this tour.'
            : tour.endedBy === 'system'
              ? answer
              : `${other} cancelled this tour.`,
          ...place,
          ...(tour.endedBy === to || tour.endedBy === 'system' ? [] : words),
        ],
      };
    case 'lapsed':
      return {
        title: `Tour not confirmed: ${about}`,
        paragraphs: [
          'The time of this tour has come without an answer, so it does not take place.',
          ...place,
        ],
      };
    case 'day':
      return {
        // The reminder of the day before comes later where nothing was sent for a while.
        title: `Your tour is ${dayIn(now, tour.zone) === dayIn(tour.startsAt, tour.zone) ? 'today' : 'tomorrow'}: ${about}`,
        paragraphs: [...place, `${other} meets you there. Please cancel if you cannot come.`],
      };
    case 'hours':
      return {
        title: `Your tour starts soon: ${about}`,
        paragraphs: [...place, `${other} meets you there.`],
      };
  }
}

/** The notification of the bell: what happened, and the tour's time. */
export const notificationText = (tour: Tour, event: TourEvent, to: TourSide, now: Date): string =>
  `${tourEventText(tour, event, to, now).title}, ${momentIn(tour.startsAt, tour.zone)}`;
