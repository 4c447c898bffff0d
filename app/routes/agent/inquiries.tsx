import { answerInbox, loadInbox, markOpened } from '#app/inquiries/inbox-door.ts';
import { InboxRoute } from '#app/inquiries/inbox-route.tsx';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { AreaHead } from '#ui/page-head.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/inquiries';

export const middleware: Route.MiddlewareFunction[] = [markOpened];

export const loader = ({ url, context }: Route.LoaderArgs) => loadInbox(getCtx(context), 'seller', url);

export const action = (args: Route.ActionArgs) => answerInbox('seller', args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Property Inquiries', hidden: true });

/** What buyers ask about the seller's properties, and the answers (S0 §2 'Seller inquiries', B-054). */
export default function PropertyInquiries({ loaderData, actionData }: Route.ComponentProps) {
  const { place, inbox } = loaderData;
  const { needsResponse } = inbox.counts;
  return (
    <>
      <AreaHead title="Property Inquiries" />
      <Tabs
        label="Inquiries"
        current={place.filter}
        tabs={[
          { id: 'all', label: 'All Inquiries', href: paths.agentInquiries() },
          {
            id: 'needs_response',
            label: 'Needs Response',
            href: paths.agentInquiries({ filter: 'needs_response' }),
            count: needsResponse,
            countLabel: `${needsResponse} need a response`,
          },
        ]}
      >
        <InboxRoute loaded={loaderData} answer={actionData} />
      </Tabs>
    </>
  );
}
