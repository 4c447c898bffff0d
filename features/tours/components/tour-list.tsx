import './tours.css';
import type { ReactNode } from 'react';
import { Form, Link } from 'react-router';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, ButtonLink } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Panel } from '#ui/panel.tsx';
import { usePendingForm } from '#ui/use-pending.ts';
import { statusOf } from '../display.ts';
import type { OwnTours, TourView } from '../model.ts';

interface Props {
  tours: OwnTours;
  /** instead of a list that is empty */
  empty: ReactNode;
  /** the URL that opens the dialog of an action */
  dialogHref: (action: string, id: string) => string;
}

/** A party's tours: the open ones with what can be done, and the past ones. */
export function TourList({ tours, empty, dialogHref }: Props) {
  const { open, past, more } = tours;
  return (
    <>
      <Panel title="Open tours">
        {open.length === 0 ? (
          empty
        ) : (
          <ul>
            {open.map((tour) => (
              <TourRow key={tour.id} tour={tour} dialogHref={dialogHref} />
            ))}
          </ul>
        )}
      </Panel>
      {past.length > 0 && (
        <Panel title="Past tours">
          <ul>
            {past.map((tour) => (
              <TourRow key={tour.id} tour={tour} dialogHref={dialogHref} />
            ))}
          </ul>
          {more && <p className="hint p-5">Older tours are in the export of your data.</p>}
        </Panel>
      )}
    </>
  );
}

function TourRow({ tour, dialogHref }: { tour: TourView; dialogHref: Props['dialogHref'] }) {
  const { property, side, when, other, note, answer, hasFile } = tour;
  const { label, tone } = statusOf(tour);
  const theirs = side === 'buyer' ? 'Seller' : 'Buyer';
  return (
    <li className="tour-row">
      <div className="tour-main">
        <h3>{when}</h3>
        <p>
          {property.canOpen ? (
            <Link className="link" to={paths.property(property.id)}>
              {property.address}
            </Link>
          ) : (
            property.address
          )}
          , {property.town}
        </p>
        <p className="hint">
          {theirs}: {other}
        </p>
        <p>
          <Badge tone={tone}>{label}</Badge>
        </p>
        {note && (
          <p className="tour-words">
            {side === 'buyer' ? 'Your note' : `${other}’s note`}: {note}
          </p>
        )}
        {answer && <p className="tour-words">Answer: {answer}</p>}
      </div>
      <div className="tour-acts">
        {hasFile && (
          <a
            className="btn btn-outline btn-sm"
            href={tourPaths.file(tour.id)}
            download
            aria-label={`Add to calendar: ${when}`}
          >
            Add to calendar
          </a>
        )}
        <Actions tour={tour} dialogHref={dialogHref} />
      </div>
    </li>
  );
}

const dialogLabels = {
  propose: 'Propose another time',
  decline: 'Decline',
  cancel: 'Cancel tour',
} as const;

function Actions({ tour, dialogHref }: { tour: TourView; dialogHref: Props['dialogHref'] }) {
  const { id, actions, sequence, when } = tour;
  const pending = usePendingForm('confirm')?.get('id') === id;
  return (
    <>
      {actions.includes('confirm') && (
        <Form method="post" preventScrollReset>
          <IntentField is="confirm" />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="sequence" value={sequence} />
          <Button type="submit" size="sm" busy={pending} aria-label={`Confirm: ${when}`}>
            Confirm
          </Button>
        </Form>
      )}
      {(['propose', 'decline', 'cancel'] as const)
        .filter((action) => actions.includes(action))
        .map((action) => (
          <ButtonLink
            key={action}
            to={dialogHref(action, id)}
            variant="outline"
            size="sm"
            preventScrollReset
            aria-label={`${dialogLabels[action]}: ${when}`}
          >
            {dialogLabels[action]}
          </ButtonLink>
        ))}
    </>
  );
}
