import { importTypes } from '#features/listing-import/import-types.ts';
import { type ImportType, typeKey } from '#features/listing-import/property-types.ts';
import type { UnknownTypeWords } from '#features/listing-import/type-words.ts';
import type { Ctx } from '#platform/context.ts';
import type { ChoiceErrors, ImportTypeWord } from './model.ts';
import { importMessages } from './rules.ts';

const PREFIX = 'type.';

/** The choices of a form, by the key of their words. */
export const readTypeChoices = (form: FormData): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(PREFIX) && typeof value === 'string' ? [[name.slice(PREFIX.length), value]] : [],
    ),
  );

/** What of an import's row is about the words of its file for property types. */
interface Stored {
  type_words: unknown;
  types: unknown;
}
const wordsOf = ({ type_words }: Stored) => type_words as UnknownTypeWords;
const chosenOf = ({ types }: Stored) => new Map(Object.entries(types as Record<string, string>));

/**
 * The words of a file that are not known here, each with what was chosen for it, and the types that can be. What has become known since the
 * file was read is left out.
 */
export async function typeChoicesOf(
  ctx: Ctx,
  row: Stored,
): Promise<{ typeWords: ImportTypeWord[]; moreTypeWords: number; types: string[] }> {
  const { words, more } = wordsOf(row);
  if (words.length === 0) return { typeWords: [], moreTypeWords: more, types: [] };
  const types = await importTypes(ctx);
  const named = new Set(types.map(({ name }) => typeKey(name)));
  const chosen = chosenOf(row);
  return {
    typeWords: words
      .filter(({ key }) => !named.has(key))
      .map((word) => ({ ...word, choice: chosen.get(word.key) ?? '' })),
    moreTypeWords: more,
    types: types.filter(({ isActive }) => isActive).map(({ name }) => name),
  };
}

/**
 * What is chosen for the words of a file: what the form says, and for other words what was chosen before. Words that the file does not
 * have are left out.
 * @returns errors by field, for names of no type and types that are off
 */
export async function mergeTypeChoices(
  ctx: Ctx,
  row: Stored,
  sent: Readonly<Record<string, string>>,
): Promise<{ types: Record<string, string>; errors: ChoiceErrors }> {
  const merged = chosenOf(row);
  const given = new Map(Object.entries(sent));
  const errors: ChoiceErrors = {};
  const { words } = wordsOf(row);
  const types = words.length > 0 ? await importTypes(ctx) : [];
  for (const { key } of words) {
    const name = given.get(key);
    if (name === undefined) continue;
    const wrong = name === '' ? null : problemOf(types, name);
    if (wrong) errors[`${PREFIX}${key}`] = wrong;
    merged.set(key, name);
  }
  return { types: Object.fromEntries(merged), errors };
}

function problemOf(types: readonly ImportType[], name: string): string | null {
  const type = types.find((one) => one.name === name);
  if (!type) return importMessages.noSuchType;
  return type.isActive ? null : importMessages.typeOff;
}
