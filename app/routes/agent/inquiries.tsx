import { data } from 'react-router';
import { handleInboxForm, loadInbox, markOpenedThreadRead, placeOf } from '#app/actions/inbox.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { LiveInbox } from '#app/pages/inquiries/live-inbox.tsx';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { paths } from '#routing/paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { tourPaths } from '#routing/tour-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/inquiries';

export const middleware: Route.MiddlewareFunction[] = [markOpenedThreadRead];

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const loaded = await readOrNull(ctx, () => loadInbox(ctx, 'seller', url));
  return data({ loaded, filter: placeOf(ctx, 'seller', url).filter }, loaded ? undefined : { status: 503 });
}

export const action = (args: Route.ActionArgs) => handleInboxForm('seller', args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Property Inquiries', hidden: true });

/** The conversations with buyers about the seller's properties. */
export default function PropertyInquiries({ loaderData, actionData }: Route.ComponentProps) {
  const { loaded, filter } = loaderData;
  const needsResponse = loaded?.inbox.counts.needsResponse ?? 0;
  return (
    <>
      <AreaHead
        title="Property Inquiries"
        actions={
          <>
            <ButtonLink variant="outline" to={sellerPaths.quickReplies()}>
              Quick replies
            </ButtonLink>
            <ButtonLink variant="outline" to={tourPaths.ofSeller()}>
              Tours
            </ButtonLink>
          </>
        }
      />
      <Tabs
        label="Inquiries"
        current={filter}
        tabs={[
          { id: 'all', label: 'All Inquiries', href: paths.sellerInquiries() },
          {
            id: 'needs_response',
            label: 'Needs Response',
            href: paths.sellerInquiries({ filter: 'needs_response' }),
            count: needsResponse,
            countLabel: `${needsResponse} need a response`,
          },
        ]}
      >
        {loaded ? (
          <LiveInbox loaded={loaded} answer={actionData} />
        ) : (
          <FailedPanel title="Your inquiries could not be loaded." />
        )}
      </Tabs>
    </>
  );
}
