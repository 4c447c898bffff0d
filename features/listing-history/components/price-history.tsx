import { wholeDollars } from '#platform/money.ts';
import { LocalTime } from '#ui/local-time.tsx';
import { changeText, daysText, eventLabels } from '../display.ts';
import type { PublicHistory } from '../model.ts';

/** What has happened to a listing in public, newest first, and how long it has been on the market; nothing before that. */
export function PriceHistory({ events, days }: PublicHistory) {
  if (days === null || events.length === 0) return null;
  return (
    <section className="detail-part" aria-labelledby="price-history">
      <h2 id="price-history">Listing history</h2>
      <p className="part-lead">{daysText(days)}</p>
      <table className="history">
        <thead>
          <tr>
            <th scope="col">Date</th>
            <th scope="col">Event</th>
            <th scope="col">Base price</th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => {
            const change = changeText(event);
            return (
              <tr key={`${event.at} ${event.kind} ${event.cents}`}>
                <td>
                  <LocalTime of={event.at} as="date" />
                </td>
                <td>{eventLabels[event.kind]}</td>
                <td>
                  {wholeDollars(event.cents)}
                  {change && <span className="history-change">{change}</span>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="hint">Base prices are without fees. Days in escrow and off the market do not count.</p>
    </section>
  );
}
