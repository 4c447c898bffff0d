import {
  type ActionArgs,
  type Refusal,
  redirectWithToast,
  runAction,
  type Submission,
} from '#app/actions/run-action.ts';
import { savePropertyType } from '#features/property-types/commands/save-property-type.ts';
import type { PropertyTypeInput } from '#features/property-types/model.ts';
import { propertyTypeMessages } from '#features/property-types/rules.ts';
import { adminPaths } from '#routing/admin-paths.ts';

type Newer = { newer?: PropertyTypeInput };

/** Handles the dialog that adds or edits a property type. */
export const handlePropertyTypeForm = (args: ActionArgs) =>
  runAction<Newer>(args, {
    intents: { save },
    preserve: ['name', 'active'],
    messages: { failed: propertyTypeMessages.failed },
  });

async function save({ ctx, text }: Submission): Promise<Response | Refusal<Newer>> {
  const id = idOf(text('id'));
  const result = await savePropertyType(ctx, {
    id,
    name: text('name'),
    isActive: text('active') === '1',
    base: id === null ? null : { name: text('baseName'), isActive: text('baseActive') === '1' },
  });
  if (result.ok)
    return redirectWithToast(
      adminPaths.propertyTypes(),
      { title: id === null ? propertyTypeMessages.created : propertyTypeMessages.updated },
      { status: 303 },
    );
  if (result.reason === 'newer')
    return { ok: false, status: 409, toast: propertyTypeMessages.newer, extra: { newer: result.current } };
  const { errors } = result;
  return { ok: false, errors, toast: errors.name ?? errors.active ?? '' };
}

/** Null for a new type; what is no number is no type either. */
const idOf = (text: string): number | null => (text === '' ? null : Number(text));
