import { FileUp, Plus } from 'lucide-react';
import { data, redirect } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { redirectWithToast, runAction, type Submission } from '#app/actions/run-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { parseTableQuery, toTableQuery, useSlowTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { nullWhenGone } from '#app/when-gone.ts';
import { deleteDraft } from '#features/listing-form/commands/delete-draft.ts';
import { duplicateListing } from '#features/listing-form/commands/duplicate-listing.ts';
import { TotalsLink } from '#features/listing-statistics/components/totals-link.tsx';
import type { ListingTotals } from '#features/listing-statistics/model.ts';
import { listingTotals } from '#features/listing-statistics/reads.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import {
  DraftRow,
  ListingActionDialog,
  ListingActions,
} from '#features/listings/components/listing-actions.tsx';
import { NO_PROPERTIES, OwnListingsTable } from '#features/listings/components/own-listings-table.tsx';
import { ownListingSorts } from '#features/listings/own-listings.ts';
import { ownListings } from '#features/listings/reads.ts';
import {
  actionDoneMessages,
  actionRefusalMessages,
  type ListingAction,
  type ListingActionResult,
  mayList,
  parseListingAction,
} from '#features/listings/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/properties';

const NO_TOTALS: Record<string, ListingTotals> = {};

export async function loader({ url, context }: Route.LoaderArgs) {
  const query = parseTableQuery(url.searchParams, ownListingSorts);
  const ctx = getCtx(context);
  const listings = await readOrNull(ctx, () => ownListings(ctx, query));
  const totals = await readOr(ctx, NO_TOTALS, () =>
    listingTotals(ctx, { propertyIds: listings?.rows.map(({ id }) => id) ?? [] }),
  );
  const listingAction = parseListingAction(url.searchParams.get('do'));
  return data(
    {
      query,
      listings,
      totals,
      mayAct: mayList(ctx.actor),
      dialog: listingAction && { listingAction, id: url.searchParams.get('id') ?? '' },
    },
    listings ? undefined : { status: 503 },
  );
}

const GONE = 'Property not found';

/** Withdraws, relists or deletes a property, and returns to the table with a toast. */
export function action(args: Route.ActionArgs) {
  const { q, sort, page } = parseTableQuery(args.url.searchParams, ownListingSorts);
  const back = sellerPaths.properties({ ...toTableQuery({ q, sort }), page: page > 1 ? page : undefined });
  const refused = (text: string) => redirectWithToast(back, { title: 'Error', text, tone: 'bad' });
  const perform =
    (done: string, command: (ctx: Ctx, id: string) => Promise<ListingActionResult>) =>
    async ({ ctx, text }: Submission): Promise<Response> => {
      const result = await nullWhenGone(command(ctx, text('id')));
      if (!result) return refused(GONE);
      if (!result.ok) return refused(actionRefusalMessages[result.reason]);
      return redirectWithToast(back, { title: done });
    };
  const intents: Record<ListingAction, ReturnType<typeof perform>> = {
    withdraw: perform(actionDoneMessages.withdraw, (ctx, propertyId) => withdrawListing(ctx, { propertyId })),
    relist: perform(actionDoneMessages.relist, (ctx, propertyId) => relistListing(ctx, { propertyId })),
    delete: perform(actionDoneMessages.delete, (ctx, propertyId) => deleteDraft(ctx, { propertyId })),
    discard: perform(actionDoneMessages.discard, (ctx, draftId) => deleteDraft(ctx, { draftId })),
  };
  const duplicate = async ({ ctx, text }: Submission): Promise<Response> => {
    const result = await nullWhenGone(duplicateListing(ctx, { propertyId: text('id') }));
    if (!result) return refused(GONE);
    if (!result.ok) return refused('You have an unfinished draft. Please submit or delete it first.');
    return redirectWithToast(sellerPaths.addProperty(), {
      title: 'Property duplicated',
      text: 'Change what is different, add photos and submit it.',
    });
  };
  return runAction(args, {
    intents: { ...intents, duplicate, none: async () => redirect(back) },
    fallback: 'none',
    respond: ({ toast }) => redirectWithToast(back, toast ?? null),
  });
}

/** Nothing is typed here, so nothing is saved. */
const NOT_DONE = { title: 'Error', text: 'That could not be done. Please try again.' };

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, { inputOf: textFields(), toast: NOT_DONE, refusalsLeave: true });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Properties', hidden: true });

/** All of a seller's properties, newest first. */
export default function MyProperties({ loaderData, actionData }: Route.ComponentProps) {
  const { query, listings, totals, dialog, mayAct } = loaderData;
  const slow = useSlowTable(sellerPaths.properties());
  const order = useTableSort(query, sellerPaths.properties);
  const { draft = null, rows = null, total, page = 1, pages = 1 } = listings ?? {};
  const here = { ...toTableQuery(query), page: page > 1 ? page : undefined };
  const subject =
    rows?.find(({ id }) => id === dialog?.id) ?? (draft && draft.id === dialog?.id ? draft : undefined);
  return (
    <>
      <AreaHead
        title="My Properties"
        actions={
          mayAct && (
            <>
              <ButtonLink variant="outline" to={sellerPaths.imports()} icon={FileUp}>
                Import
              </ButtonLink>
              <ButtonLink to={sellerPaths.addProperty()} icon={Plus}>
                Add New Property
              </ButtonLink>
            </>
          )
        }
      />
      <Panel
        title={titleOf(total)}
        actions={
          <TableSearch
            label="Search your properties"
            action={sellerPaths.properties()}
            q={query.q}
            sort={here.sort}
          />
        }
      >
        {draft && <DraftRow draft={draft} tableQuery={here} mayAct={mayAct} />}
        <OwnListingsTable
          label="My Properties"
          rows={slow ? undefined : rows}
          empty={query.q ? 'No properties match your search.' : NO_PROPERTIES}
          statistics={(listing) => <TotalsLink listing={listing} totals={totals[listing.id]} />}
          actions={(listing) => <ListingActions listing={listing} tableQuery={here} mayAct={mayAct} />}
          {...order}
        />
      </Panel>
      <Pagination page={page} pages={pages} href={(page) => sellerPaths.properties({ ...here, page })} />
      <p className="hint mt-4">
        Export your listings as{' '}
        <a className="link" href={sellerPaths.listingsFile('csv')} download>
          CSV
        </a>{' '}
        or{' '}
        <a className="link" href={sellerPaths.listingsFile('json')} download>
          RESO JSON
        </a>
        .
      </p>
      <ListingActionDialog
        action={mayAct ? (dialog?.listingAction ?? null) : null}
        subject={subject && { id: subject.id, name: 'address' in subject ? subject.address : subject.title }}
        tableQuery={here}
      />
      <FlashToast toast={actionData?.toast} />
    </>
  );
}

const titleOf = (total: number | undefined) => {
  if (total === undefined) return 'Properties';
  return total === 1 ? '1 property' : `${total} properties`;
};
