import { Link } from 'react-router';
import { payoutMethodNames } from '#features/payouts/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Notice } from '#ui/notice.tsx';
import { Panel } from '#ui/panel.tsx';
import { lastPayoutsText, utcMoment } from '../display.ts';
import type { LastPayouts, NextPayouts, PayoutScheduleState } from '../model.ts';

/** When the schedule pays next, how it did last, and what it leaves to administrators. */
export function ScheduleStatus({ next, last, byHand }: PayoutScheduleState) {
  return (
    <Panel title="Scheduled payouts" className="mt-0!">
      <dl className="grid gap-px bg-line">
        <div className="bg-surface px-4 py-5 min-[960px]:px-6">
          <dt className="text-sm text-ink-muted">Next run</dt>
          <dd className="m-0 mt-1">
            <NextRun next={next} />
          </dd>
        </div>
        <div className="bg-surface px-4 py-5 min-[960px]:px-6">
          <dt className="text-sm text-ink-muted">Last run</dt>
          <dd className="m-0 mt-1">{last ? <LastRun last={last} /> : <b>None yet</b>}</dd>
        </div>
      </dl>
      {byHand.length > 0 && (
        <div className="panel-in">
          <Notice title="Some payouts are made by hand">
            <p>
              No payment provider is connected for {byHand.map((one) => payoutMethodNames[one]).join(' and ')}
              . The schedule does not start these payouts: they wait in Payout Management, and a task says
              when they are due.
            </p>
          </Notice>
        </div>
      )}
    </Panel>
  );
}

function NextRun({ next: { frequency, at, inWords } }: { next: NextPayouts }) {
  if (at === null)
    return frequency === 'instant' ? (
      <>
        <b>As soon as a payout is payable</b>
        <p className="m-0 text-ink-muted">Looked for every minute.</p>
      </>
    ) : (
      <>
        <b>None</b>
        <p className="m-0 text-ink-muted">Administrators process payouts.</p>
      </>
    );
  return (
    <>
      <b>
        <time dateTime={at}>{utcMoment(at)}</time>
      </b>
      <p className="m-0 text-ink-muted">{inWords}</p>
    </>
  );
}

function LastRun({ last }: { last: LastPayouts }) {
  return (
    <>
      <b>
        <time dateTime={last.at}>{utcMoment(last.at)}</time>
      </b>
      <p className="m-0 text-ink-muted">
        {lastPayoutsText(last)}
        {last.run && (
          <>
            {' '}
            <Link className="link" to={adminPaths.dashboard({ run: last.run.id })}>
              Open the run
            </Link>
          </>
        )}
      </p>
    </>
  );
}
