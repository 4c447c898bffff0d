import type { Ctx } from '#platform/context.ts';
import { type ImportType, resolveType } from './property-types.ts';
import { quoteCell } from './quote.ts';

/** All property types of the marketplace, also those that are off. */
export const importTypes = async (ctx: Ctx): Promise<ImportType[]> =>
  (
    await ctx.db.q().selectFrom('property_types').select(['id', 'name', 'is_active']).orderBy('id').execute()
  ).map(({ id, name, is_active }) => ({ id, name, isActive: is_active }));

/**
 * Why choices of property types, as they are typed on the command line, cannot be followed: the first one that names no type, or one that
 * is off. Null when all can be.
 * @param chosen names of types by the file's own words, empty for rows that are left out
 * @param mayActivate the import switches on types that are off
 */
export async function typeChoiceProblem(
  ctx: Ctx,
  { chosen, mayActivate }: { chosen: Readonly<Record<string, string>>; mayActivate: boolean },
): Promise<string | null> {
  const types = await importTypes(ctx);
  const active = types.filter(({ isActive }) => isActive).map(({ name }) => name);
  for (const [word, name] of Object.entries(chosen)) {
    const type = name === '' ? null : resolveType(types, name);
    const wrong = `--type ${quoteCell(`${word}=${name}`, 60)}`;
    if (name !== '' && !type)
      return `${wrong}: there is no such property type. The property types are: ${active.join(', ')}.`;
    if (type && !type.isActive && !mayActivate)
      return `${wrong}: the property type ${type.name} is off; --activate-types switches it on.`;
  }
  return null;
}
