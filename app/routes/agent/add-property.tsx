import { randomUUID } from 'node:crypto';
import { handleAddListing } from '#app/actions/listing-form.actions.ts';
import { keepListingInput, loadAfterSaving } from '#app/actions/listing-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { ListingFormPage } from '#app/routes/agent/listing-form/listing-form-page.tsx';
import { blankForm } from '#features/listing-form/form.ts';
import { addForm } from '#features/listing-form/reads.ts';
import { mayList } from '#features/listings/rules.ts';
import { photosOf } from '#features/photos/reads.ts';
import { paths } from '#routing/paths.ts';
import { previewPaths } from '#routing/preview-paths.ts';
import { sellerPaths } from '#routing/seller-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/add-property';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { draft, choices } = await addForm(ctx);
  return {
    listing: null,
    base: blankForm,
    draft,
    draftId: draft?.id ?? randomUUID(),
    photos: draft ? await photosOf(ctx, { draftId: draft.id }) : [],
    choices,
    year: ctx.now().getUTCFullYear(),
    tilesUrl: ctx.config.mapTilesUrl ?? null,
    readOnly: !mayList(ctx.actor),
  };
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSaving(args);

export const action = (args: Route.ActionArgs) => handleAddListing(args);

export const clientAction = (args: Route.ClientActionArgs) => keepListingInput(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Add New Property', hidden: true });

export default function AddProperty({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Add New Property"
        back={{ href: paths.sellerDashboard(), label: 'Back to Dashboard' }}
        actions={
          <ButtonLink variant="outline" to={previewPaths.draft()}>
            Preview
          </ButtonLink>
        }
      />
      <ListingFormPage page={sellerPaths.addProperty()} loaded={loaderData} answer={actionData} />
    </>
  );
}
