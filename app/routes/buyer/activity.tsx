import { data, useNavigation } from 'react-router';
import { handleInboxForm, markOpenedThreadRead } from '#app/actions/inbox.actions.ts';
import { useLiveSale } from '#app/live/live-sale.ts';
import { useUnread } from '#app/live/unread.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { ActivityContent, Notifications } from '#app/routes/buyer/activity/activity-tab.tsx';
import { useLiveSavedSearchMatches } from '#app/routes/buyer/activity/live-matches.ts';
import { useLiveNotifications } from '#app/routes/buyer/activity/live-notifications.ts';
import { saleAfterPayment } from '#app/routes/buyer/activity/sale-after-payment.ts';
import { loadTab, matchCount, notificationCount } from '#app/routes/buyer/activity/tab-content.ts';
import { TabSkeleton } from '#app/routes/buyer/activity/tab-skeleton.tsx';
import { type ActivityTab, activityTabs, tabHref, tabOf } from '#app/routes/buyer/activity/tabs.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { SaleOutcome } from '#features/sales/components/sale-outcome.tsx';
import type { SaleView } from '#features/sales/model.ts';
import { paths } from '#routing/paths.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/activity';

/**
 * Loads what the open tab shows, and the counts of the others. The provider's page returns here after paying, with the
 * sale in the URL; its payment is synchronised before the table is loaded.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const scope = getScope(context);
  const tab = tabOf(url.searchParams);
  const saleId = tab === 'transactions' ? url.searchParams.get('sale') : null;
  const sale = saleId ? await saleAfterPayment(scope, saleId) : null;
  const open = tab === 'notifications';
  const [content, unread, matches] = await Promise.all([
    loadTab(scope.ctx, tab, url),
    open ? null : notificationCount(scope.ctx),
    matchCount(scope.ctx),
  ]);
  const page = content?.tab === 'notifications' ? content.page : null;
  const before = url.searchParams.get('before');
  return data(
    {
      tab,
      sale,
      content,
      before,
      matches,
      notifications: { page, unread, before: open ? before : null, open },
    },
    content ? undefined : { status: 500 },
  );
}

export const middleware: Route.MiddlewareFunction[] = [markOpenedThreadRead];

/** The forms of a conversation, for browsers without JavaScript. */
export const action = (args: Route.ActionArgs) => handleInboxForm('buyer', args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Activity', hidden: true });

export default function MyActivity({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, sale, content, before, matches } = loaderData;
  const older = before !== null;
  const live = useLiveNotifications(loaderData.notifications);
  useLiveSavedSearchMatches();
  const site = useSite();
  const pendingTab = usePendingTab(tab);
  const counts: Partial<Record<ActivityTab, number>> = {
    watched: matches ?? 0,
    inquiries: useUnread(),
    notifications: live.unread,
  };
  return (
    <>
      <PageHead title="My Activity" />
      <Tabs
        label="My Activity"
        current={pendingTab ?? tab}
        tabs={activityTabs.map(({ id, label }) => ({
          id,
          label,
          href: tabHref(id),
          count: counts[id] ?? 0,
          countLabel: `${counts[id]} ${id === 'watched' ? 'new matches' : 'unread'}`,
        }))}
      >
        {pendingTab ? (
          <TabSkeleton tab={pendingTab} />
        ) : (
          <>
            {sale && <Outcome sale={sale} />}
            {tab === 'notifications' ? (
              <Notifications live={live} older={older} />
            ) : (
              <ActivityContent content={content} answer={actionData} older={older} />
            )}
          </>
        )}
      </Tabs>
      {site?.viewer && (
        <div className="hint mt-12">
          <SignedInLine email={site.viewer.email} accountPath={paths.account()} />
        </div>
      )}
    </>
  );
}

/** The tab that is being navigated to, until it is loaded. */
function usePendingTab(tab: ActivityTab): ActivityTab | null {
  const { state, location } = useNavigation();
  if (state !== 'loading' || location.pathname !== paths.buyerActivity()) return null;
  const next = tabOf(new URLSearchParams(location.search));
  return next === tab ? null : next;
}

function Outcome({ sale }: { sale: SaleView }) {
  const { payment } = sale.state;
  useLiveSale(sale.id, payment === 'pending' || payment === 'processing');
  return <SaleOutcome sale={sale} />;
}
