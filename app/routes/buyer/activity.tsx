import { data, Link, useNavigation } from 'react-router';
import { handleInboxForm, markOpenedThreadRead } from '#app/actions/inbox.actions.ts';
import { useLiveSale } from '#app/live/live-sale.ts';
import { useUnread } from '#app/live/unread.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getScope } from '#app/request.ts';
import { ActivityContent, Notifications } from '#app/routes/buyer/activity/activity-tab.tsx';
import { useLiveNotifications } from '#app/routes/buyer/activity/live-notifications.ts';
import { saleAfterPayment } from '#app/routes/buyer/activity/sale-after-payment.ts';
import { loadTab } from '#app/routes/buyer/activity/tab-content.ts';
import { TabSkeleton } from '#app/routes/buyer/activity/tab-skeleton.tsx';
import { type ActivityTab, activityTabs, tabHref, tabOf } from '#app/routes/buyer/activity/tabs.ts';
import { useSite } from '#app/site.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { matchesText } from '#features/bell/display.ts';
import { SaleOutcome } from '#features/sales/components/sale-outcome.tsx';
import type { SaleView } from '#features/sales/model.ts';
import { authorizedUser } from '#platform/access.ts';
import type { Role } from '#platform/context.ts';
import { paths } from '#routing/paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Pill } from '#ui/pill.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/activity';

/**
 * Loads what the open tab shows. The provider's page returns here after paying, with the sale in the URL; its payment is
 * synchronised before the table is loaded.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const scope = getScope(context);
  const { role } = authorizedUser(scope.ctx);
  const tab = tabOf(url.searchParams, role);
  const saleId = tab === 'transactions' ? url.searchParams.get('sale') : null;
  const sale = saleId ? await saleAfterPayment(scope, saleId) : null;
  const content = await loadTab(scope.ctx, tab, url);
  const before = url.searchParams.get('before');
  const open = tab === 'notifications';
  const page = content?.tab === 'notifications' ? content.page : null;
  return data(
    { role, tab, sale, content, before, notifications: { page, before: open ? before : null, open } },
    content ? undefined : { status: 500 },
  );
}

export const middleware: Route.MiddlewareFunction[] = [markOpenedThreadRead];

/** The forms of a conversation, for browsers without JavaScript. */
export const action = (args: Route.ActionArgs) => handleInboxForm('buyer', args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Activity', hidden: true });

export default function MyActivity({ loaderData, actionData }: Route.ComponentProps) {
  const { role, tab, sale, content, before } = loaderData;
  const older = before !== null;
  const live = useLiveNotifications(loaderData.notifications);
  const site = useSite();
  const pendingTab = usePendingTab(role, tab);
  const { messages, updates, matches } = useUnread();
  const counts: Partial<Record<ActivityTab, number>> = { inquiries: messages, notifications: updates };
  return (
    <>
      <PageHead title="My Activity">
        <p className="mt-3">
          <Link className="link inline-flex items-center gap-2" to={paths.savedSearchList(role)}>
            Saved Searches
            <Pill count={matches} label={matchesText(matches)} />
          </Link>
          {role === 'buyer' && (
            <Link className="link ml-5" to={tourPaths.ofBuyer()}>
              My Tours
            </Link>
          )}
        </p>
      </PageHead>
      <Tabs
        label="My Activity"
        current={pendingTab ?? tab}
        tabs={activityTabs(role).map(({ id, label }) => ({
          id,
          label,
          href: tabHref(role, id),
          count: counts[id] ?? 0,
          countLabel: `${counts[id]} unread`,
        }))}
      >
        {pendingTab ? (
          <TabSkeleton tab={pendingTab} />
        ) : (
          <>
            {sale && <Outcome sale={sale} />}
            {tab === 'notifications' ? (
              <Notifications live={live} role={role} older={older} />
            ) : (
              <ActivityContent content={content} role={role} answer={actionData} older={older} />
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
function usePendingTab(role: Role, tab: ActivityTab): ActivityTab | null {
  const { state, location } = useNavigation();
  if (state !== 'loading' || location.pathname !== paths.activity(role)) return null;
  const next = tabOf(new URLSearchParams(location.search), role);
  return next === tab ? null : next;
}

function Outcome({ sale }: { sale: SaleView }) {
  const { payment } = sale.state;
  useLiveSale(sale.id, payment === 'pending' || payment === 'processing');
  return <SaleOutcome sale={sale} />;
}
