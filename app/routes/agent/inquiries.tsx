import { handleInboxForm, loadInbox, markOpenedThreadRead } from '#app/actions/inbox.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { LiveInbox } from '#app/pages/inquiries/live-inbox.tsx';
import { getCtx } from '#app/request.ts';
import { paths } from '#routing/paths.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/inquiries';

export const middleware: Route.MiddlewareFunction[] = [markOpenedThreadRead];

export const loader = ({ url, context }: Route.LoaderArgs) => loadInbox(getCtx(context), 'seller', url);

export const action = (args: Route.ActionArgs) => handleInboxForm('seller', args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Property Inquiries', hidden: true });

/** The conversations with buyers about the seller's properties. */
export default function PropertyInquiries({ loaderData, actionData }: Route.ComponentProps) {
  const { urlState: place, inbox } = loaderData;
  const { needsResponse } = inbox.counts;
  return (
    <>
      <AreaHead title="Property Inquiries" />
      <Tabs
        label="Inquiries"
        current={place.filter}
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
        <LiveInbox loaded={loaderData} answer={actionData} />
      </Tabs>
    </>
  );
}
