import { data } from 'react-router';
import { NOT_SAVED, preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { deadJobs, deadMails, systemState } from '#features/operations/reads.ts';
import { providerMessages } from '#features/payments/reads.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { Breadcrumbs } from '#ui/breadcrumbs.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/operations';
import { handleOperationsForm } from './operations/actions.ts';
import { DropDialogs } from './operations/drop-dialog.tsx';
import { EmailsTab, JobsTab } from './operations/failed-tabs.tsx';
import { HealthTab } from './operations/health-tab.tsx';
import { MessagesTab } from './operations/messages-tab.tsx';
import { type OperationsQuery, parseOperationsQuery, toOperationsQuery } from './operations/query.ts';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseOperationsQuery(url.searchParams);
  const shown = await readTab(ctx, query);
  return data({ query, shown }, shown.list === null ? { status: 503 } : undefined);
}

/** What the current tab shows; null when it could not be read. */
async function readTab(ctx: ServerCtx, query: OperationsQuery) {
  const { tab, q, page, status, before } = query;
  switch (tab) {
    case 'health':
      return { tab, list: await readOrNull(ctx, () => systemState(ctx)) };
    case 'jobs': {
      const jobs = await readOrNull(ctx, () => deadJobs(ctx, { page, job: q || null }));
      return {
        tab,
        // What a job was to do may hold personal data, and nobody needs it to decide.
        list: jobs && {
          ...jobs,
          rows: jobs.rows.map(({ id, job, reason, at }) => ({ id, job, reason, at: at.toISOString() })),
        },
      };
    }
    case 'emails': {
      const mails = await readOrNull(ctx, () => deadMails(ctx, { page }));
      return {
        tab,
        list: mails && {
          ...mails,
          rows: mails.rows.map((mail) => ({ ...mail, queuedAt: mail.queuedAt.toISOString() })),
        },
      };
    }
    case 'messages':
      return { tab, list: await readOrNull(ctx, () => providerMessages(ctx, { q, status, before })) };
  }
}

export const action = (args: Route.ActionArgs) => handleOperationsForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields('reason'), toast: NOT_SAVED, refusalsLeave: true });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Operations', hidden: true });

/** Whether everything works, and what failed: to be tried again or dropped. */
export default function Operations({ loaderData: { query, shown }, actionData }: Route.ComponentProps) {
  const here = toOperationsQuery(query);
  return (
    <>
      <Breadcrumbs ancestors={[{ href: adminPaths.dashboard(), label: 'Dashboard' }]} current="Operations" />
      <AreaHead title="Operations" />
      <FlashToast toast={actionData?.toast} />
      <Tabs
        label="Operations"
        current={query.tab}
        tabs={[
          { id: 'health', label: 'Health', href: adminPaths.operations() },
          { id: 'jobs', label: 'Jobs', href: adminPaths.operations({ tab: 'jobs' }) },
          { id: 'emails', label: 'Emails', href: adminPaths.operations({ tab: 'emails' }) },
          { id: 'messages', label: 'Provider messages', href: adminPaths.operations({ tab: 'messages' }) },
        ]}
      >
        {shown.tab === 'health' && <HealthTab state={shown.list} />}
        {shown.tab === 'jobs' && <JobsTab list={shown.list} here={here} />}
        {shown.tab === 'emails' && <EmailsTab list={shown.list} here={here} />}
        {shown.tab === 'messages' && <MessagesTab list={shown.list} query={query} here={here} />}
      </Tabs>
      <DropDialogs
        dialog={query.dialog}
        id={query.id}
        back={adminPaths.operations(here)}
        answer={actionData}
      />
    </>
  );
}
