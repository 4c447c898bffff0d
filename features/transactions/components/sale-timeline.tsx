import { eventLabel } from '#features/sales/display.ts';
import { DrawerSection } from '#ui/drawer.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import type { SaleDetails } from '../details-model.ts';

/** What has happened, oldest first, and open marks for what comes. */
export function SaleTimeline({ sale: { timeline, next, coming } }: { sale: SaleDetails }) {
  return (
    <DrawerSection title="Timeline">
      <ol className="sale-steps">
        {timeline.map(({ id, event, who, note, at }) => (
          <li key={id}>
            <span>
              {eventLabel(event)}
              <small>{who}</small>
              {note && <small className="sale-words">{note}</small>}
            </span>
            <LocalTime of={at} as="exact" />
          </li>
        ))}
        {next && (
          <li className="sale-step-next">
            <span>{next.text}</span>
            <span>{next.by ? <LocalTime of={next.by} as="exact" /> : 'Waiting'}</span>
          </li>
        )}
        {coming.map(({ title, detail, by }) => (
          <li key={title} className="sale-step-next">
            <span>
              {title}
              <small>{detail}</small>
            </span>
            {by && (
              <span>
                by <LocalTime of={by} as="date" />
              </span>
            )}
          </li>
        ))}
      </ol>
    </DrawerSection>
  );
}
