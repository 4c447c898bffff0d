import { data, useNavigate } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { mayHaveMissed, useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { decideReport } from '#features/inquiries/commands/decide-report.ts';
import { openConversation } from '#features/inquiries/commands/open-conversation.ts';
import { InquiryTable } from '#features/inquiries/components/inquiry-table.tsx';
import { MessageHistoryDialog } from '#features/inquiries/components/message-history-dialog.tsx';
import { ReportDialog } from '#features/inquiries/components/report-dialog.tsx';
import { ReportTable } from '#features/inquiries/components/report-table.tsx';
import { type ReportDecision, reportDecisions } from '#features/inquiries/oversight-model.ts';
import { inquirySorts } from '#features/inquiries/overview.ts';
import { inquiryOverview, openReportCount, reportQueue } from '#features/inquiries/reads.ts';
import { decisionRefusals } from '#features/inquiries/rules.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import { Tabs } from '#ui/tabs.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import type { Route } from './+types/inquiries';

const tabs = ['reported', 'decided'] as const;

/** What of the page its URL says, apart from dialogs. */
function placeOf(params: URLSearchParams) {
  const query = parseTableQuery(params, inquirySorts);
  const tab = tabs.find((one) => one === params.get('tab'));
  const page = query.page > 1 ? query.page : undefined;
  const list = tab ? { tab, size: query.size ?? undefined } : toTableQuery(query);
  return { query, tab, here: { ...list, page } };
}

export async function loader({ url: { searchParams }, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { query, tab, here } = placeOf(searchParams);
  const open = searchParams.get('messages');
  const before = searchParams.get('before');
  const [inquiries, reports, waiting, history] = await Promise.all([
    tab ? undefined : readOrNull(ctx, () => inquiryOverview(ctx, query)),
    tab &&
      readOrNull(ctx, () =>
        reportQueue(ctx, {
          state: tab === 'reported' ? 'open' : 'decided',
          page: query.page,
          size: query.size,
        }),
      ),
    readOrNull(ctx, () => openReportCount(ctx)),
    open ? readOrNull(ctx, () => openConversation(ctx, { inquiryId: open, before })) : undefined,
  ]);
  const decision = reportDecisions.find((one) => one === searchParams.get('do'));
  const asked = decision && { decision, reportId: searchParams.get('report') };
  const failed = [inquiries, reports, history].includes(null);
  return data(
    { query, tab, here, inquiries, reports, waiting, open, before, history, asked },
    failed ? { status: 503 } : undefined,
  );
}

/** Decides a reported conversation, and returns to the queue with a toast. */
export function action(args: Route.ActionArgs) {
  const { here } = placeOf(args.url.searchParams);
  const back = adminPaths.inquiries(here);
  const decide =
    (decision: ReportDecision, done: (name: string) => string) =>
    async ({ ctx, text }: Submission) => {
      const result = await decideReport(ctx, { reportId: text('id'), decision, note: text('note') });
      if (result.ok) return redirectWithToast(back, { title: done(result.reported) }, { status: 303 });
      const problem = decisionRefusals[result.reason];
      if (result.reason === 'empty' || result.reason === 'too_long')
        return { ok: false as const, errors: { note: problem } };
      return redirectWithToast(back, { title: 'Error', text: problem, tone: 'bad' }, { status: 303 });
    };
  const intents: Record<ReportDecision, ReturnType<typeof decide>> = {
    warned: decide('warned', (name) => `${name} was warned`),
    suspended: decide('suspended', (name) => `${name} is suspended`),
    closed: decide('closed', () => 'Report closed'),
  };
  return runAction(args, { intents, preserve: ['note'] });
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields('note'), toast: NOT_SAVED, refusalsLeave: true });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Property Inquiries', hidden: true });

/** Every conversation between buyers and sellers, for reading alone, and those that were reported. */
export default function Inquiries({ loaderData, actionData }: Route.ComponentProps) {
  const { query, tab, here, inquiries, reports, waiting, open, before, history, asked } = loaderData;
  const navigate = useNavigate();
  const answer = useAnswer(actionData);
  const revalidate = useRevalidate();
  useLiveEvents((message) => {
    // Reading an open conversation again would be recorded as another opening.
    if (open !== null) return;
    if (message.type.startsWith('inquiry.report') || mayHaveMissed(message)) void revalidate();
  });
  const slow = useSlowTable(adminPaths.inquiries());
  const order = useTableSort(query, (next) => adminPaths.inquiries({ ...next }));
  const { page = 1, pages = 1 } = inquiries ?? reports ?? {};
  const messagesHref = (messages: string) => adminPaths.inquiries({ ...here, messages });
  const report = reports?.rows.find(({ id, decided }) => id === asked?.reportId && decided === null);
  const total = inquiries?.total;
  return (
    <>
      <AreaHead title="Property Inquiries" />
      <FlashToast toast={actionData?.toast} />
      <p className="-mt-4 mb-6 text-ink-muted">Monitor communications between buyers and sellers</p>
      <MessageHistoryDialog
        history={history}
        onClose={() => void navigate(adminPaths.inquiries(here), { preventScrollReset: true })}
        pageHref={(before) =>
          adminPaths.inquiries({ ...here, messages: open ?? undefined, before: before ?? undefined })
        }
        older={before !== null}
      />
      {report && asked && (
        <ReportDialog
          report={report}
          decision={asked.decision}
          closeHref={adminPaths.inquiries(here)}
          answer={answer}
        />
      )}
      <Tabs
        label="Inquiries"
        current={tab ?? 'all'}
        tabs={[
          { id: 'all', label: 'All inquiries', href: adminPaths.inquiries() },
          {
            id: 'reported',
            label: 'Reported',
            href: adminPaths.inquiries({ tab: 'reported' }),
            ...(waiting && { count: waiting.count, countLabel: `${countText(waiting)} waiting` }),
          },
          { id: 'decided', label: 'Decided', href: adminPaths.inquiries({ tab: 'decided' }) },
        ]}
      >
        {tab ? (
          <Panel title={tab === 'reported' ? 'Waiting for a decision' : 'Decided reports'}>
            <ReportTable
              state={tab === 'reported' ? 'open' : 'decided'}
              rows={reports?.rows ?? null}
              messagesHref={messagesHref}
              decideHref={(id, decision) => adminPaths.inquiries({ ...here, report: id, do: decision })}
            />
          </Panel>
        ) : (
          <Panel
            title={
              total
                ? `${countText(total)} ${total.count === 1 && !total.more ? 'inquiry' : 'inquiries'}`
                : 'Inquiries'
            }
            actions={
              <TableSearch
                label="Search by address, seller or buyer"
                action={adminPaths.inquiries()}
                q={query.q}
                sort={toTableQuery(query).sort}
              />
            }
          >
            <InquiryTable
              rows={slow ? undefined : (inquiries?.rows ?? null)}
              empty={query.q ? 'No inquiries match your search.' : 'No inquiries yet.'}
              messagesHref={messagesHref}
              {...order}
            />
          </Panel>
        )}
        <Pagination
          page={page}
          pages={pages}
          href={(page) => adminPaths.inquiries({ ...here, page })}
          rows={(inquiries ?? reports)?.total.count}
        />
      </Tabs>
    </>
  );
}
