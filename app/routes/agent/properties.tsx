import { Plus } from 'lucide-react';
import { redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx } from '#app/request.ts';
import { typedText } from '#app/sign-in/answer.ts';
import { addressOf, tableQueryOf, useLateTable, useTableSort } from '#app/table-query.ts';
import { TableSearch } from '#app/table-search.tsx';
import { deleteDraft } from '#features/listings/commands/delete-draft.ts';
import { relistListing } from '#features/listings/commands/relist-listing.ts';
import { withdrawListing } from '#features/listings/commands/withdraw-listing.ts';
import { DeedDialog, DraftRow, ListingDeeds } from '#features/listings/components/listing-deeds.tsx';
import { NO_PROPERTIES, OwnListingsTable } from '#features/listings/components/own-listings-table.tsx';
import { ownListingSorts } from '#features/listings/own-listings.ts';
import { ownListings } from '#features/listings/reads.ts';
import { type DeedResult, deedDone, deedText, listingDeedOf, mayList } from '#features/listings/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { ButtonLink } from '#ui/button.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Pagination } from '#ui/pagination.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/properties';

export async function loader({ url, context }: Route.LoaderArgs) {
  const asked = tableQueryOf(url.searchParams, ownListingSorts);
  const ctx = getCtx(context);
  const listings = await ownListings(ctx, asked);
  const deed = listingDeedOf(url.searchParams.get('do'));
  return {
    asked,
    listings,
    mayAct: mayList(ctx.actor),
    dialog: deed && { deed, id: url.searchParams.get('id') ?? '' },
  };
}

/** Withdraws, relists or deletes a property, and comes back to the table with a word about it (B-110). */
export async function action({ request, url, context }: Route.ActionArgs) {
  const ctx = getCtx(context);
  const form = await formOf(request);
  const deed = listingDeedOf(typedText(form, 'do'));
  const { q, sort, page } = tableQueryOf(url.searchParams, ownListingSorts);
  const back = paths.agentProperties({ ...addressOf({ q, sort }), page: page > 1 ? page : undefined });
  if (!deed) throw redirect(back);
  const answer = (title: string, text?: string) =>
    redirect(back, {
      headers: { 'set-cookie': setFlash({ title, ...(text && { text, tone: 'bad' as const }) }) },
    });
  try {
    const done = await carryOut(ctx, deed, typedText(form, 'id'));
    return done.ok ? answer(deedDone[deed]) : answer('Error', deedText[done.reason]);
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    return answer('Error', 'Property not found');
  }
}

function carryOut(ctx: Ctx, deed: keyof typeof deedDone, id: string): Promise<DeedResult> {
  if (deed === 'withdraw') return withdrawListing(ctx, { propertyId: id });
  if (deed === 'relist') return relistListing(ctx, { propertyId: id });
  return deleteDraft(ctx, deed === 'discard' ? { draftId: id } : { propertyId: id });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'My Properties', hidden: true });

/** All of a seller's properties, newest first (S0 §2 'My Properties', B-110). */
export default function MyProperties({ loaderData }: Route.ComponentProps) {
  const { asked, listings, dialog, mayAct } = loaderData;
  const late = useLateTable(paths.agentProperties());
  const order = useTableSort(asked, paths.agentProperties);
  const { draft, rows } = listings;
  const here = { ...addressOf(asked), page: listings.page > 1 ? listings.page : undefined };
  const subject =
    rows.find(({ id }) => id === dialog?.id) ?? (draft && draft.id === dialog?.id ? draft : undefined);
  return (
    <>
      <AreaHead
        title="My Properties"
        actions={
          mayAct && (
            <ButtonLink to={paths.agentAddProperty()} icon={Plus}>
              Add New Property
            </ButtonLink>
          )
        }
      />
      <Panel
        title={listings.total === 1 ? '1 property' : `${listings.total} properties`}
        actions={
          <TableSearch
            label="Search your properties"
            action={paths.agentProperties()}
            q={asked.q}
            sort={here.sort}
          />
        }
      >
        {draft && <DraftRow draft={draft} here={here} mayAct={mayAct} />}
        <OwnListingsTable
          label="My Properties"
          rows={late ? undefined : rows}
          empty={asked.q ? 'No property matches your search.' : NO_PROPERTIES}
          actions={(listing) => <ListingDeeds listing={listing} here={here} mayAct={mayAct} />}
          {...order}
        />
      </Panel>
      <Pagination
        page={listings.page}
        pages={listings.pages}
        href={(page) => paths.agentProperties({ ...here, page })}
      />
      <DeedDialog
        deed={mayAct ? (dialog?.deed ?? null) : null}
        subject={subject && { id: subject.id, name: 'address' in subject ? subject.address : subject.title }}
        here={here}
      />
    </>
  );
}
