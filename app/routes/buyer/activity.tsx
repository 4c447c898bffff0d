import { data, useNavigation } from 'react-router';
import { ActivityContent, Notifications } from '#app/activity/activity-tab.tsx';
import { useLiveMatches } from '#app/activity/live-matches.ts';
import { useLiveNotifications } from '#app/activity/live-notifications.ts';
import { matchCount, notificationCount, tabContent } from '#app/activity/tab-content.ts';
import { TabSkeleton } from '#app/activity/tab-skeleton.tsx';
import { type ActivityTab, activityTabs, tabHref, tabOf } from '#app/activity/tabs.ts';
import { answerInbox, markOpened } from '#app/inquiries/inbox-door.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getScope } from '#app/request.ts';
import { saleAfterPayment } from '#app/sale/ask-about-payment.ts';
import { useCurrentSale } from '#app/sale/keep-current.ts';
import { useSite } from '#app/site.ts';
import { useUnread } from '#app/unread.ts';
import { SignedInLine } from '#features/accounts/components/signed-in-line.tsx';
import { SaleOutcome } from '#features/purchases/components/sale-outcome.tsx';
import type { SaleView } from '#features/purchases/model.ts';
import { PageHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/activity';

/**
 * Reads what the open tab shows, and the counts of the others. With a sale in the address: where the provider's page
 * leads to after paying (B-072); it is brought up to date before the table is read.
 */
export async function loader({ url, context }: Route.LoaderArgs) {
  const scope = getScope(context);
  const tab = tabOf(url.searchParams);
  const saleId = tab === 'transactions' ? url.searchParams.get('sale') : null;
  const sale = saleId ? await saleAfterPayment(scope, saleId) : null;
  const open = tab === 'notifications';
  const [content, unread, matches] = await Promise.all([
    tabContent(scope.ctx, tab, url),
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

export const middleware: Route.MiddlewareFunction[] = [markOpened];

/** The forms of a conversation, for those without scripts. */
export const action = (args: Route.ActionArgs) => answerInbox('buyer', args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Activity', hidden: true });

export default function MyActivity({ loaderData, actionData }: Route.ComponentProps) {
  const { tab, sale, content, before, matches } = loaderData;
  const older = before !== null;
  const live = useLiveNotifications(loaderData.notifications);
  useLiveMatches();
  const site = useSite();
  const goingTo = useTabOnItsWay(tab);
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
        current={goingTo ?? tab}
        tabs={activityTabs.map(({ id, label }) => ({
          id,
          label,
          href: tabHref(id),
          count: counts[id] ?? 0,
          countLabel: `${counts[id]} ${id === 'watched' ? 'new matches' : 'unread'}`,
        }))}
      >
        {goingTo ? (
          <TabSkeleton tab={goingTo} />
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

/** The tab that was pressed, until it is there. */
function useTabOnItsWay(tab: ActivityTab): ActivityTab | null {
  const { state, location } = useNavigation();
  if (state !== 'loading' || location.pathname !== paths.buyerActivity()) return null;
  const next = tabOf(new URLSearchParams(location.search));
  return next === tab ? null : next;
}

function Outcome({ sale }: { sale: SaleView }) {
  const { payment } = sale.state;
  useCurrentSale(sale.id, payment === 'pending' || payment === 'processing');
  return <SaleOutcome sale={sale} />;
}
