import { randomUUID } from 'node:crypto';
import { handleEditListing } from '#app/actions/listing-form.actions.ts';
import { keepListingInput, loadAfterSaving } from '#app/actions/listing-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { ListingFormPage } from '#app/routes/agent/listing-form/listing-form-page.tsx';
import { editForm } from '#features/listing-form/reads.ts';
import { ownershipText } from '#features/listings/components/ownership-badge.tsx';
import { mayList } from '#features/listings/rules.ts';
import { ownOwnership } from '#features/ownership/reads.ts';
import { photosOf } from '#features/photos/reads.ts';
import { previewPaths } from '#routing/preview-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/edit-property';

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { listing, draft, choices } = await editForm(ctx, params.id);
  return {
    listing,
    base: listing.form,
    draft,
    draftId: draft?.id ?? randomUUID(),
    ownership: await readOrNull(ctx, () => ownOwnership(ctx, { propertyId: listing.id })),
    photos: await photosOf(ctx, { propertyId: listing.id }),
    choices,
    year: ctx.now().getUTCFullYear(),
    tilesUrl: ctx.config.mapTilesUrl ?? null,
    readOnly: !mayList(ctx.actor),
  };
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSaving(args);

export const action = (args: Route.ActionArgs) => handleEditListing(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => keepListingInput(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Edit Property', hidden: true });

export default function EditProperty({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Edit Property"
        back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
        actions={
          <>
            <ButtonLink variant="outline" to={sellerPaths.ownership(params.id)}>
              {loaderData.ownership ? ownershipText(loaderData.ownership.proof?.status ?? null) : 'Ownership'}
            </ButtonLink>
            <ButtonLink variant="outline" to={sellerPaths.disclosures(params.id)}>
              Disclosures
            </ButtonLink>
            <ButtonLink variant="outline" to={previewPaths.listing(params.id)}>
              Preview
            </ButtonLink>
          </>
        }
      />
      <ListingFormPage page={sellerPaths.editProperty(params.id)} loaded={loaderData} answer={actionData} />
    </>
  );
}
