import { randomUUID } from 'node:crypto';
import { data } from 'react-router';
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
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/edit-property';

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const [read, ownership] = await Promise.all([
    readOrNull(ctx, async () => {
      const form = await editForm(ctx, params.id);
      return { ...form, photos: await photosOf(ctx, { propertyId: form.listing.id }) };
    }),
    readOrNull(ctx, () => ownOwnership(ctx, { propertyId: params.id })),
  ]);
  if (!read) return data({ loaded: null, ownership }, { status: 503 });
  return data({
    loaded: {
      ...read,
      base: read.listing.form,
      draftId: read.draft?.id ?? randomUUID(),
      year: ctx.now().getUTCFullYear(),
      tilesUrl: ctx.config.mapTilesUrl ?? null,
      readOnly: !mayList(ctx.actor),
    },
    ownership,
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSaving(args);

export const action = (args: Route.ActionArgs) => handleEditListing(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) => keepListingInput(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Edit Property', hidden: true });

export default function EditProperty({
  loaderData: { loaded, ownership },
  actionData,
  params,
}: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Edit Property"
        back={{ href: sellerPaths.properties(), label: 'Back to Properties' }}
        actions={
          <>
            <ButtonLink variant="outline" to={sellerPaths.ownership(params.id)}>
              {ownership ? ownershipText(ownership.proof?.status ?? null) : 'Ownership'}
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
      {loaded ? (
        <ListingFormPage page={sellerPaths.editProperty(params.id)} loaded={loaded} answer={actionData} />
      ) : (
        <FailedPanel title="The property could not be loaded." />
      )}
    </>
  );
}
