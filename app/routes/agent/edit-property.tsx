import { randomUUID } from 'node:crypto';
import { answerEdit } from '#app/listing-form/answer.ts';
import { ListingFormRoute } from '#app/listing-form/form-route.tsx';
import { keepForm } from '#app/listing-form/keep-form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx, getScope } from '#app/request.ts';
import { editForm } from '#features/listings/reads.ts';
import { mayList } from '#features/listings/rules.ts';
import { photosOf } from '#features/photos/reads.ts';
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
    photos: await photosOf(ctx, { propertyId: listing.id }),
    choices,
    year: ctx.now().getUTCFullYear(),
    tilesUrl: ctx.config.mapTilesUrl ?? null,
    readOnly: !mayList(ctx.actor),
  };
}

export const action = ({ request, params, context }: Route.ActionArgs) =>
  answerEdit(request, getScope(context), params.id);

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepForm(request, serverAction);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Edit Property', hidden: true });

export default function EditProperty({ loaderData, actionData, params }: Route.ComponentProps) {
  return (
    <>
      <AreaHead title="Edit Property" back={{ href: paths.agentProperties(), label: 'Back to Properties' }} />
      <ListingFormRoute page={paths.agentEditProperty(params.id)} loaded={loaderData} answer={actionData} />
    </>
  );
}
