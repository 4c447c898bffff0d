import { randomUUID } from 'node:crypto';
import { handleCreateProperty } from '#app/actions/property-form.actions.ts';
import { keepPropertyInput } from '#app/actions/property-form.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import { PropertyFormPage } from '#app/routes/admin/property-form/property-form-page.tsx';
import { propertyMessages } from '#features/listing-form/property-rules.ts';
import { newPropertyForm } from '#features/listing-form/reads.ts';
import { photosOf } from '#features/photos/reads.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { AreaHead } from '#ui/page-head.tsx';
import type { Route } from './+types/add-property';

export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { draftId, draftVersion, choices } = await newPropertyForm(ctx);
  return {
    property: null,
    draftId: draftId ?? randomUUID(),
    draftVersion,
    photos: draftId ? await photosOf(ctx, { draftId }) : [],
    choices,
    year: ctx.now().getUTCFullYear(),
    tilesUrl: ctx.config.mapTilesUrl ?? null,
  };
}

export const action = (args: Route.ActionArgs) => handleCreateProperty(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  keepPropertyInput(args, propertyMessages.failedCreate);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Add Property', hidden: true });

export default function AddProperty({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AreaHead title="Add Property" back={{ href: adminPaths.properties(), label: 'Back to Properties' }} />
      <PropertyFormPage page={adminPaths.newProperty()} loaded={loaderData} answer={actionData} />
    </>
  );
}
