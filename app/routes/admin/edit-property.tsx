import { randomUUID } from 'node:crypto';
import { data } from 'react-router';
import { handleEditProperty } from '#app/actions/property-form.actions.ts';
import { keepPropertyInput } from '#app/actions/property-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { PropertyFormPage } from '#app/routes/admin/property-form/property-form-page.tsx';
import { propertyMessages } from '#features/listing-form/property-rules.ts';
import { propertyForm } from '#features/listing-form/reads.ts';
import { photosOf } from '#features/photos/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/edit-property';

export async function loader({ params, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const loaded = await readOrNull(ctx, async () => {
    const { property, choices } = await propertyForm(ctx, params.id);
    return { property, choices, photos: await photosOf(ctx, { propertyId: property.id }) };
  });
  return data(
    {
      loaded: loaded && {
        ...loaded,
        // Nothing hangs on the draft of an existing property.
        draftId: randomUUID(),
        draftVersion: 0,
        year: ctx.now().getUTCFullYear(),
        tilesUrl: ctx.config.mapTilesUrl ?? null,
      },
    },
    loaded ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleEditProperty(args, args.params.id);

export const clientAction = (args: Route.ClientActionArgs) =>
  keepPropertyInput(args, propertyMessages.failedUpdate);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Edit Property', hidden: true });

export default function EditProperty({ loaderData: { loaded }, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <AreaHead title="Edit Property" back={{ href: adminPaths.properties(), label: 'Back to Properties' }} />
      {loaded ? (
        <PropertyFormPage page={adminPaths.editProperty(params.id)} loaded={loaded} answer={actionData} />
      ) : (
        <FailedPanel title={propertyMessages.failedLoad} />
      )}
    </>
  );
}
