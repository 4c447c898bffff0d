import { useCallback, useEffect, useRef, useState } from 'react';
import { Form, Link, useNavigate } from 'react-router';
import type { PayoutsExtra } from '#app/actions/payouts.actions.ts';
import { usePayoutProgress } from '#app/live/payout-progress.ts';
import { useSite } from '#app/site.ts';
import {
  ConfirmPayouts,
  PROCESS_PAYOUTS,
  REVIEW_PAYOUTS,
} from '#features/payout-runs/components/confirm-payouts.tsx';
import { NotYetPayable } from '#features/payout-runs/components/not-yet-payable.tsx';
import { FailedPayouts, ManualPayouts } from '#features/payout-runs/components/other-tables.tsx';
import { PendingTable, SELECTION_FORM } from '#features/payout-runs/components/pending-table.tsx';
import { RunPanel } from '#features/payout-runs/components/run-panel.tsx';
import type { PayoutRun, PendingPayout } from '#features/payout-runs/model.ts';
import { MOST_PAYOUTS, runMessages, selectAllLabel } from '#features/payout-runs/rules.ts';
import { nextPayoutsText } from '#features/payout-schedule/display.ts';
import type { NextPayouts } from '#features/payout-schedule/model.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import type { ActionData } from '#ui/action-data.ts';
import { BulkBar } from '#ui/bulk-bar.tsx';
import { Button } from '#ui/button.tsx';
import { IntentField } from '#ui/intent-field.tsx';
import { Notice } from '#ui/notice.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Sort } from '#ui/sortable-header.tsx';
import { toast } from '#ui/toast.ts';
import { useAnswer } from '#ui/use-answer.ts';
import { usePendingForm } from '#ui/use-pending.ts';
import type { PayoutManagementData } from './load-payout-management.ts';
import { PayoutDialogs } from './payout-dialogs.tsx';
import { sortParam } from './payouts-query.ts';
import { useChosen } from './use-chosen.ts';
import { useSumOfAll } from './use-sum-of-all.ts';

interface Props {
  title: string;
  /** a line below the title */
  text?: string;
  data: PayoutManagementData;
  /** the page's URL with these parameters changed */
  hrefWith: (change: Record<string, string | number | undefined>) => string;
  answer: (ActionData & Partial<PayoutsExtra>) | undefined;
}

/** The payouts that can be made, chosen and confirmed; those under way, failed, made by hand and not yet payable. */
export function PayoutManagement({ title, text, data, hrefWith, answer: latest }: Props) {
  const answer = useAnswer(latest);
  const { pending, failed, manual, notYet, runs, schedule, query, reference } = data;
  const viewerId = useSite()?.viewer?.id ?? null;
  const working = (runs ?? []).some(({ status }) => status === 'running');
  usePayoutProgress(working);
  useEndedRuns(runs ?? []);
  const failure = `Please try again. (reference ${reference})`;
  const dialogHref = (dialog: string, id: string) => hrefWith({ do: dialog, id });
  useEffect(() => {
    if (answer?.toast) toast(answer.toast);
  }, [answer]);
  return (
    <>
      <Panel title={title} className="payouts">
        {text && <p className="payouts-text">{text}</p>}
        {schedule && <NextScheduled next={schedule} />}
        {runs && <RunPanel runs={runs} viewerId={viewerId} dialogHref={dialogHref} />}
        {answer?.notPaid && answer.notPaid.length > 1 && (
          <div className="payout-runs">
            <Notice tone="warn" title={runMessages.cannot}>
              <ul className="payout-refused">
                {answer.notPaid.map((why) => (
                  <li key={why}>{why}</li>
                ))}
              </ul>
            </Notice>
          </div>
        )}
        <Selection data={data} hrefWith={hrefWith} answer={answer} working={working} failure={failure} />
        <Pagination
          page={pending?.page ?? 1}
          pages={pending?.pages ?? 1}
          href={(page) => hrefWith({ 'payouts-page': page > 1 ? page : undefined })}
          label="Pages of pending payouts"
          keepsScroll
        />
        {failed && (
          <FailedPayouts
            list={failed}
            dialogHref={dialogHref}
            href={(page) => hrefWith({ 'failed-page': page > 1 ? page : undefined })}
          />
        )}
        {manual && (
          <ManualPayouts
            list={manual}
            viewerId={viewerId}
            dialogHref={dialogHref}
            href={(page) => hrefWith({ 'by-hand-page': page > 1 ? page : undefined })}
          />
        )}
        <NotYetPayable
          list={notYet}
          failure={failure}
          open={query.notYetPage !== null}
          href={(page) => hrefWith({ 'not-yet-page': page })}
        />
      </Panel>
      <PayoutDialogs data={data} hrefWith={hrefWith} answer={answer} />
    </>
  );
}

/** When payouts are made without an administrator, where a schedule is set. */
function NextScheduled({ next }: { next: NextPayouts }) {
  const text = nextPayoutsText(next);
  if (text === null) return null;
  return (
    <p className="payouts-text">
      {text}{' '}
      <Link className="link" to={adminPaths.paymentSettings({ tab: 'schedule' })}>
        Payout Schedule
      </Link>
    </p>
  );
}

function Selection({
  data: { pending, query },
  hrefWith,
  answer: latest,
  working,
  failure,
}: Pick<Props, 'data' | 'hrefWith' | 'answer'> & { working: boolean; failure: string }) {
  const navigate = useNavigate();
  const [all, setAll] = useState(false);
  const answer = useRunAnswer(latest);
  const [dismissed, setDismissed] = useState<Props['answer']>(undefined);
  const reviewing = usePendingForm(REVIEW_PAYOUTS) !== null;
  const rows = pending?.rows ?? [];
  const free = rows.filter(({ inRun }) => !inRun);
  const { chosen, elsewhere, choose } = useChosen(pending);
  const selected = all ? new Map(free.map(({ saleId, amountCents }) => [saleId, amountCents])) : chosen;
  const cents = [...selected.values()].reduce((sum, amountCents) => sum + amountCents, 0);
  const sumOfAll = useSumOfAll(all, pending, query.sort);
  const sum = all ? sumOfAll : cents;
  const matching = Math.min(pending?.selectable.count ?? 0, MOST_PAYOUTS);
  const count = all ? Math.max(matching, selected.size) : selected.size;
  const done = answer?.ok && answer.run;
  const clear = useCallback(() => {
    choose(new Map());
    setAll(false);
  }, [choose]);
  useEffect(() => {
    if (done) clear();
  }, [done, clear]);
  const onSelect = (changed: readonly PendingPayout[], on: boolean) => {
    setAll(false);
    const next = new Map(selected);
    for (const { saleId, amountCents } of changed) {
      if (on) next.set(saleId, amountCents);
      else next.delete(saleId);
    }
    choose(next);
  };
  const sort: Sort | null = query.sort && {
    column: query.sort.by,
    direction: query.sort.descending ? 'descending' : 'ascending',
  };
  const onSort = (next: Sort | null) =>
    void navigate(
      hrefWith({
        'payouts-sort': next ? `${next.direction === 'descending' ? '-' : ''}${next.column}` : undefined,
        'payouts-page': undefined,
      }),
      { preventScrollReset: true },
    );
  const plan = answer !== dismissed ? answer?.plan : undefined;
  const button = (
    <Button
      type="submit"
      form={SELECTION_FORM}
      disabled={selected.size === 0 || working}
      busy={reviewing}
      variant={selected.size === 0 ? 'outline' : 'primary'}
    >
      Process Selected Payouts
    </Button>
  );
  return (
    <>
      <Form id={SELECTION_FORM} method="post" preventScrollReset>
        <IntentField is={REVIEW_PAYOUTS} />
        {all && <input type="hidden" name="all" value="1" />}
        {all && query.sort && <input type="hidden" name="sort" value={sortParam(query.sort)} />}
        {!all && elsewhere.map((id) => <input key={id} type="hidden" name="sale" value={id} />)}
      </Form>
      {selected.size === 0 && <div className="payouts-process">{button}</div>}
      <BulkBar
        count={count}
        sum={sum === null ? undefined : dollarsAndCents(sum)}
        onClear={clear}
        more={
          pending && !all && free.every(({ saleId }) => selected.has(saleId)) && matching > selected.size
            ? { label: selectAllLabel(pending.selectable), onSelect: () => setAll(true) }
            : undefined
        }
        action={button}
      />
      <PendingTable
        rows={pending === null ? null : rows}
        failure={failure}
        selected={new Set(selected.keys())}
        onSelect={onSelect}
        sort={sort}
        onSort={onSort}
      />
      {plan && (
        <ConfirmPayouts
          shown={plan}
          action={hrefWith({})}
          answer={answer}
          onClose={() => setDismissed(answer)}
        />
      )}
    </>
  );
}

/** The answer about a run that is asked for, also while the proof that it needs is given; forgotten when the page is left. */
function useRunAnswer(latest: Props['answer']): Props['answer'] {
  const [last, setLast] = useState(latest);
  const isOfRun = latest?.intent === REVIEW_PAYOUTS || latest?.intent === PROCESS_PAYOUTS;
  const shown = isOfRun || latest === undefined ? latest : last;
  if (shown !== last) setLast(shown);
  return shown;
}

/** Says how a run has ended that was working while the page was open. */
function useEndedRuns(runs: readonly PayoutRun[]): void {
  const worked = useRef(new Set<string>());
  useEffect(() => {
    for (const { id, status, started, refused } of runs) {
      if (status === 'running') worked.current.add(id);
      else if (status === 'finished' && worked.current.delete(id)) {
        if (started > 0) toast(runMessages.processed(started));
        if (refused > 0) toast({ ...runMessages.refused(refused), tone: 'bad' });
      }
    }
  }, [runs]);
}
