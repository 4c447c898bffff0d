import { Check, Clock, FileCheck, Hourglass, House, Plus } from 'lucide-react';
import { data, useSearchParams } from 'react-router';
import { handleFeatured } from '#app/actions/featured.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { handleApproveSelected, handleDecision, type NotDecidedExtra } from '#app/actions/review.actions.ts';
import { runAction } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { ListingDetailsDrawer } from '#app/pages/listings/listing-details-drawer.tsx';
import { loadListingDetails } from '#app/pages/listings/load-listing-details.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery } from '#app/table-query.ts';
import { SET_FEATURED } from '#features/listing-review/components/featured-toggle.tsx';
import { APPROVE_SELECTED } from '#features/listing-review/components/review-desk.tsx';
import { type ListingCounts, listingCounts } from '#features/listing-review/reads.ts';
import { decisionMessages, featuredMessages } from '#features/listing-review/rules.ts';
import { waitingProofs } from '#features/ownership/reads.ts';
import { countText } from '#platform/counts.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { StatStrip } from '#ui/stat-strip.tsx';
import { Tabs } from '#ui/tabs.tsx';
import type { Route } from './+types/properties';
import { AllTab } from './properties/all-tab.tsx';
import { EscrowTab } from './properties/escrow-tab.tsx';
import { loadTab } from './properties/load-tab.ts';
import { PendingTab } from './properties/pending-tab.tsx';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [counts, proofs, tab, { details, failed = false }] = await Promise.all([
    readOrNull(ctx, () => listingCounts(ctx)),
    readOrNull(ctx, () => waitingProofs(ctx)),
    loadTab(ctx, url.searchParams),
    loadListingDetails(ctx, url.searchParams),
  ]);
  const complete = counts && (tab.name === 'pending' ? tab.queue : tab.listings);
  return data({ counts, proofs, tab, details }, complete && !failed ? undefined : { status: 503 });
}

export function action(args: Route.ActionArgs) {
  const { page, size } = parseTableQuery(args.url.searchParams, []);
  const desk = (listing: string | undefined) =>
    adminPaths.properties({
      tab: 'pending',
      page: page > 1 ? page : undefined,
      size: size ?? undefined,
      listing,
    });
  return runAction<NotDecidedExtra>(args, {
    intents: {
      [SET_FEATURED]: (form) => handleFeatured(form, adminPaths.properties()),
      [APPROVE_SELECTED]: handleApproveSelected,
      approve: handleDecision('approve', desk),
      request_changes: handleDecision('request_changes', desk),
      reject: handleDecision('reject', desk),
    },
    preserve: ['id', 'reason', 'message'],
    messages: ({ intent }) => ({ failed: failureOf(intent) }),
  });
}

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('id', 'reason', 'message'),
    toast: (intent) => ({ title: 'Error', text: failureOf(intent) }),
    refusalsLeave: true,
  });

const failures: Readonly<Record<string, string>> = {
  [SET_FEATURED]: featuredMessages.failed,
  [APPROVE_SELECTED]: decisionMessages.approveFailed,
};

const failureOf = (intent: string): string => failures[intent] ?? decisionMessages.failed;

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Properties', hidden: true });

/** The listings of all sellers: all of them, those that wait for approval, and those in escrow. */
export default function AdminProperties({ loaderData, actionData }: Route.ComponentProps) {
  const { counts, proofs, tab, details } = loaderData;
  const [params] = useSearchParams();
  const hrefWith = (changes: Record<string, string | undefined>) =>
    adminPaths.properties({ ...Object.fromEntries(params), ...changes });
  const waiting = counts?.waiting.count ?? 0;
  return (
    <>
      <ListingDetailsDrawer details={details} hrefWith={hrefWith} />
      <AreaHead
        title="Properties"
        actions={
          <>
            <ButtonLink variant="outline" to={adminPaths.ownership()} icon={FileCheck}>
              Proofs of ownership
              {proofs && proofs.count > 0 && ` (${countText(proofs)})`}
            </ButtonLink>
            <ButtonLink variant="outline" to={adminPaths.newProperty()} icon={Plus}>
              Add Property
            </ButtonLink>
          </>
        }
      />
      {counts ? <StatStrip stats={cards(counts)} /> : <FailedPanel title="The totals could not be loaded." />}
      <div className="mt-6">
        <Tabs
          label="Properties"
          current={tab.name}
          tabs={[
            { id: 'all', label: 'All Properties', href: adminPaths.properties() },
            {
              id: 'pending',
              label: 'Pending Approval',
              href: adminPaths.properties({ tab: 'pending' }),
              count: waiting,
              countLabel: `${waiting} waiting`,
            },
            { id: 'escrow', label: 'In Escrow', href: adminPaths.properties({ tab: 'escrow' }) },
          ]}
        >
          {tab.name === 'all' && <AllTab query={tab.query} listings={tab.listings} />}
          {tab.name === 'pending' && (
            <PendingTab
              queue={tab.queue}
              size={tab.query.size}
              subject={tab.subject}
              ownership={tab.ownership}
              tilesUrl={tab.tilesUrl}
              answer={actionData}
            />
          )}
          {tab.name === 'escrow' && <EscrowTab listings={tab.listings} size={tab.query.size} />}
        </Tabs>
      </div>
    </>
  );
}

const cards = ({ total, active, pending, inEscrow }: ListingCounts) => [
  { label: 'Total Properties', value: countText(total), icon: House },
  { label: 'Active', value: countText(active), icon: Check },
  { label: 'Pending', value: countText(pending), icon: Clock },
  { label: 'In Escrow', value: countText(inEscrow), icon: Hourglass },
];
