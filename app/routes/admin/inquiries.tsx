import { data, useNavigate } from 'react-router';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { openConversation } from '#features/inquiries/commands/open-conversation.ts';
import { InquiryTable } from '#features/inquiries/components/inquiry-table.tsx';
import { MessageHistoryDialog } from '#features/inquiries/components/message-history-dialog.tsx';
import { inquirySorts } from '#features/inquiries/overview.ts';
import { inquiryOverview } from '#features/inquiries/reads.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/inquiries';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const query = parseTableQuery(url.searchParams, inquirySorts);
  const open = url.searchParams.get('messages');
  const before = url.searchParams.get('before');
  const [inquiries, history] = await Promise.all([
    readOrNull(ctx, () => inquiryOverview(ctx, query)),
    open ? readOrNull(ctx, () => openConversation(ctx, { inquiryId: open, before })) : undefined,
  ]);
  const failed = inquiries === null || history === null;
  return data({ query, inquiries, open, before, history }, failed ? { status: 503 } : undefined);
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Property Inquiries', hidden: true });

/** Every conversation between buyers and sellers, for reading alone. */
export default function Inquiries({ loaderData }: Route.ComponentProps) {
  const { query, inquiries, open, before, history } = loaderData;
  const navigate = useNavigate();
  const slow = useSlowTable(adminPaths.inquiries());
  const order = useTableSort(query, (next) => adminPaths.inquiries({ ...next }));
  const { rows = null, total, page = 1, pages = 1 } = inquiries ?? {};
  const here = { ...toTableQuery(query), page: page > 1 ? page : undefined };
  return (
    <>
      <AreaHead title="Property Inquiries" />
      <p className="mt-1 text-ink-muted">Monitor communications between buyers and sellers</p>
      <MessageHistoryDialog
        history={history}
        onClose={() => void navigate(adminPaths.inquiries(here), { preventScrollReset: true })}
        pageHref={(before) =>
          adminPaths.inquiries({ ...here, messages: open ?? undefined, before: before ?? undefined })
        }
        older={before !== null}
      />
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
            sort={here.sort}
          />
        }
      >
        <InquiryTable
          rows={slow ? undefined : rows}
          empty={query.q ? 'No inquiries match your search.' : 'No inquiries yet.'}
          messagesHref={(messages) => adminPaths.inquiries({ ...here, messages })}
          {...order}
        />
      </Panel>
      <Pagination page={page} pages={pages} href={(page) => adminPaths.inquiries({ ...here, page })} />
    </>
  );
}
