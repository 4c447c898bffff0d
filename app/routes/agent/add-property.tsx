import { randomUUID } from 'node:crypto';
import { answerAdd } from '#app/listing-form/answer.ts';
import { ListingFormRoute } from '#app/listing-form/form-route.tsx';
import { keepForm } from '#app/listing-form/keep-form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx, getScope } from '#app/request.ts';
import { blankForm } from '#features/listings/listing-form.ts';
import { addForm } from '#features/listings/reads.ts';
import { mayList } from '#features/listings/rules.ts';
import { photosOf } from '#features/photos/reads.ts';
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

export const action = ({ request, context }: Route.ActionArgs) => answerAdd(request, getScope(context));

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  keepForm(request, serverAction);

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Add New Property', hidden: true });

export default function AddProperty({ loaderData, actionData }: Route.ComponentProps) {
  return (
    <>
      <AreaHead
        title="Add New Property"
        back={{ href: paths.agentDashboard(), label: 'Back to Dashboard' }}
      />
      <ListingFormRoute page={paths.agentAddProperty()} loaded={loaderData} answer={actionData} />
    </>
  );
}
