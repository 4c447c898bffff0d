import { Plus } from 'lucide-react';
import { data, useNavigate } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { handlePropertyTypeForm } from '#app/actions/property-type.actions.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOr, readOrNull } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import {
  type EditedType,
  PropertyTypeDialog,
} from '#features/property-types/components/property-type-dialog.tsx';
import { PropertyTypesTable } from '#features/property-types/components/property-types-table.tsx';
import { propertyTypeList, propertyTypeUse } from '#features/property-types/reads.ts';
import { propertyTypeMessages } from '#features/property-types/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { adminPaths } from '#routing/admin-paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { AreaHead } from '#ui/page-head.tsx';
import { Panel } from '#ui/panel.tsx';
import type { Route } from './+types/property-types';

export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const types = await readOrNull(ctx, () => propertyTypeList(ctx));
  return data(
    { types, edited: types && (await readOr(ctx, null, () => editedType(ctx, types, url.searchParams))) },
    types ? undefined : { status: 503 },
  );
}

/** What the address opens the dialog for; null for a type that does not exist. */
async function editedType(
  ctx: Ctx,
  types: Awaited<ReturnType<typeof propertyTypeList>>,
  params: URLSearchParams,
): Promise<EditedType | null> {
  if (params.get('do') === 'add') return 'new';
  const type = params.get('do') === 'edit' && types.find(({ id }) => String(id) === params.get('id'));
  return type ? { type, use: await propertyTypeUse(ctx, type.id) } : null;
}

export const action = (args: Route.ActionArgs) => handlePropertyTypeForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('name', 'active'),
    toast: { title: 'Error', text: propertyTypeMessages.failed },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Property Types', hidden: true });

/** The list of property types; adding and editing one is a dialog. */
export default function PropertyTypes({ loaderData: { types, edited }, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const answer = edited ? actionData : undefined;
  return (
    <>
      <AreaHead
        title="Property Types"
        actions={
          <ButtonLink to={adminPaths.propertyTypes({ do: 'add' })} icon={Plus} preventScrollReset>
            Add Property Type
          </ButtonLink>
        }
      />
      <Panel title={types ? `${types.length} property types` : 'Property types'}>
        <PropertyTypesTable types={types} />
      </Panel>
      <PropertyTypeDialog
        edited={edited}
        onClose={() => void navigate(adminPaths.propertyTypes(), { preventScrollReset: true })}
        errors={answer?.errors}
        failure={answer?.errors ? undefined : answer?.toast?.text}
        newer={answer?.newer}
        typed={answer?.input}
      />
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
