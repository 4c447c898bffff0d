import './payout-panel.css';
import { Link } from 'react-router';
import { dollarsAndCents } from '#platform/money.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { Badge, type Tone } from '#ui/badge.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { offsetText } from '../offset-text.ts';
import type { PayoutStanding } from '../standing.ts';

const tones: Record<PayoutStanding['state'], Tone> = {
  held: 'warn',
  ready: 'info',
  processing: 'info',
  paid: 'ok',
  settled: 'mute',
  failed: 'bad',
  returned: 'bad',
};

/** Where the payout of a sale stands, for its seller: the amount, what it waits for or what became of it. */
export function PayoutPanel({ standing }: { standing: PayoutStanding }) {
  const { state, title, text, at, atLabel, inSettings, amountCents, nettedCents, reference } = standing;
  return (
    <section className="sheet payout-sheet" aria-labelledby="payout">
      <h2 id="payout">Your payout</h2>
      <p className="payout-state">
        <Badge tone={tones[state]}>{title}</Badge>
        {state !== 'settled' && <b>{dollarsAndCents(amountCents)}</b>}
      </p>
      <p>
        {text}
        {inSettings && (
          <>
            {' '}
            <Link className="link" to={sellerPaths.settings()}>
              Payment Settings
            </Link>
          </>
        )}
      </p>
      <dl className="payout-facts">
        {at && atLabel && (
          <div>
            <dt>{atLabel}</dt>
            <dd>
              <LocalTime of={at} as="date" />
            </dd>
          </div>
        )}
        {reference && (
          <div>
            <dt>Reference</dt>
            <dd>{reference}</dd>
          </div>
        )}
      </dl>
      {nettedCents > 0 && <p className="total-note">{offsetText(nettedCents)}</p>}
    </section>
  );
}

/** The same in a line, beneath the status in a table; nothing where the status says it all. */
export function PayoutNote({ standing }: { standing: PayoutStanding | undefined }) {
  if (!standing) return null;
  const { state, title, at, atLabel, inSettings } = standing;
  if (at && atLabel && state !== 'paid')
    return (
      <small className="payout-note">
        {state === 'held' ? 'Held until' : atLabel} <LocalTime of={at} as="date" />
      </small>
    );
  if (inSettings)
    return (
      <small className="payout-note">
        <Link className="link" to={sellerPaths.settings()}>
          Action required
        </Link>
      </small>
    );
  return state === 'paid' || state === 'failed' || state === 'processing' ? null : (
    <small className="payout-note">{title}</small>
  );
}
