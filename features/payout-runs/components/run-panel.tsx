import type { ReactNode } from 'react';
import { formatCount } from '#platform/format-count.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { ButtonLink } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import type { PayoutRun } from '../model.ts';
import { anyOf, payoutsText, runMessages } from '../rules.ts';

interface Props {
  runs: readonly PayoutRun[];
  viewerId: string | null;
  /** the page's URL with a dialog about a run open */
  dialogHref: (dialog: 'approve-run' | 'decline-run', runId: string) => string;
}

/** The runs that wait or work, and how the last one ended. */
export function RunPanel({ runs, viewerId, dialogHref }: Props) {
  if (runs.length === 0) return null;
  return (
    <div className="payout-runs">
      {runs.map((run) => {
        if (run.status === 'awaiting_approval')
          return <Waiting key={run.id} run={run} viewerId={viewerId} dialogHref={dialogHref} />;
        return run.status === 'running' ? (
          <Working key={run.id} run={run} />
        ) : (
          <Ended key={run.id} run={run} />
        );
      })}
    </div>
  );
}

const requester = ({ requestedBy, origin }: PayoutRun) =>
  origin === 'schedule' ? 'The payout schedule' : (requestedBy?.name ?? 'A former administrator');

function Waiting({ run, viewerId, dialogHref }: { run: PayoutRun } & Pick<Props, 'viewerId' | 'dialogHref'>) {
  const { id, count, totalCents, asked, approvers, expiresAt } = run;
  const own = run.requestedBy?.id === viewerId;
  // Whoever set the schedule cannot approve what it asks for, but can decline it.
  const mayApprove = approvers.some((one) => one.id === viewerId);
  return (
    <Notice
      tone="warn"
      title={`${payoutsText(count)} of ${dollarsAndCents(totalCents)} in total wait for approval`}
    >
      <p>
        {requester(run)} asked for them. {asked && `${asked.name} was asked to approve them. `}
        {approvers.length > 0
          ? `${anyOf(approvers.map(({ name }) => name))} can approve them.`
          : 'No other administrator can approve them.'}
        {expiresAt && (
          <>
            {' '}
            Nothing is sent until then; the request expires <LocalTime of={expiresAt} />.
          </>
        )}
      </p>
      {!own && (
        <div className="rowacts">
          {mayApprove && (
            <ButtonLink size="sm" to={dialogHref('approve-run', id)} preventScrollReset>
              Approve
            </ButtonLink>
          )}
          <ButtonLink size="sm" variant="outline" to={dialogHref('decline-run', id)} preventScrollReset>
            Decline
          </ButtonLink>
        </div>
      )}
    </Notice>
  );
}

function Working({ run }: { run: PayoutRun }) {
  const { id, done, count } = run;
  const words = `${formatCount(done)} of ${payoutsText(count)}`;
  return (
    <Notice title="Payouts are being processed">
      <p id={`run-${id}`}>{words}. You can leave this page.</p>
      <progress className="payout-progress" value={done} max={count} aria-labelledby={`run-${id}`}>
        {words}
      </progress>
    </Notice>
  );
}

function Ended({ run }: { run: PayoutRun }): ReactNode {
  const { status, started, refused, results, declineReason, decidedBy, count } = run;
  if (status === 'declined')
    return (
      <Notice tone="warn" title={`${payoutsText(count)} were declined`}>
        <p>
          {decidedBy ?? 'An administrator'}: {declineReason}
        </p>
      </Notice>
    );
  if (status === 'expired')
    return (
      <Notice tone="warn" title={`${payoutsText(count)} were not approved in time`}>
        <p>Nothing was sent.</p>
      </Notice>
    );
  if (refused === 0)
    return (
      <Notice tone="ok" title={runMessages.processed(started).title}>
        <p>{runMessages.processed(started).text}</p>
      </Notice>
    );
  return (
    <Notice tone="warn" title={runMessages.cannot}>
      <p>
        {started > 0 && `${runMessages.processed(started).title}. `}
        {runMessages.refused(refused).title}:
      </p>
      <ul className="payout-refused">
        {results.map(({ saleId, why, address }) => (
          <li key={saleId}>
            {address}: {why}
          </li>
        ))}
        {refused > results.length && <li>And {refused - results.length} more.</li>}
      </ul>
    </Notice>
  );
}
