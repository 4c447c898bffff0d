import { randomUUID } from 'node:crypto';
import { data } from 'react-router';
import { handleAddListing } from '#app/actions/listing-form.actions.ts';
import { keepListingInput, loadAfterSaving } from '#app/actions/listing-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
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
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/add-property';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  // Without the photos of its draft the form would be submitted as if it had none.
  const read = await readOrNull(ctx, async () => {
    const { draft, choices } = await addForm(ctx);
    return { draft, choices, photos: draft ? await photosOf(ctx, { draftId: draft.id }) : [] };
  });
  if (!read) return data({ loaded: null }, { status: 503 });
  return data({
    loaded: {
      ...read,
      listing: null,
      base: blankForm,
      draftId: read.draft?.id ?? randomUUID(),
      year: ctx.now().getUTCFullYear(),
      tilesUrl: ctx.config.mapTilesUrl ?? null,
      readOnly: !mayList(ctx.actor),
    },
  });
}

export const clientLoader = (args: Route.ClientLoaderArgs) => loadAfterSaving(args);

export const action = (args: Route.ActionArgs) => handleAddListing(args);

export const clientAction = (args: Route.ClientActionArgs) => keepListingInput(args);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Add New Property', hidden: true });

export default function AddProperty({ loaderData: { loaded }, actionData }: Route.ComponentProps) {
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
      {loaded ? (
        <ListingFormPage page={sellerPaths.addProperty()} loaded={loaded} answer={actionData} />
      ) : (
        <FailedPanel title="The form could not be loaded." />
      )}
    </>
  );
}
