import { hasRole } from '#platform/access.ts';
import { oneLine } from '#platform/typed-text.ts';

/** Only administrators read the list with its counts, and change types. */
export const mayManagePropertyTypes = hasRole('admin');

/** Characters of a type's name. */
export const TYPE_NAME_LIMIT = 60;

/** What administrators are told; the first five are fixed by the specification. */
export const propertyTypeMessages = {
  empty: 'Property type name cannot be empty',
  taken: 'A property type with this name already exists',
  failed: 'Failed to save property type. Please try again.',
  created: 'Property type created successfully',
  updated: 'Property type updated successfully',
  tooLong: `Property type name must be at most ${TYPE_NAME_LIMIT} characters`,
  lastActive: 'At least one property type must stay active.',
  newer: 'This record was changed by someone else',
} as const;

/** A typed name as it is stored: one line without surrounding spaces. */
export const cleanTypeName = (typed: string): string => oneLine(typed);

/** Why a name cannot be stored, or null. */
export function typeNameProblem(name: string): string | null {
  if (name === '') return propertyTypeMessages.empty;
  return name.length > TYPE_NAME_LIMIT ? propertyTypeMessages.tooLong : null;
}

/**
 * What a type is called in URLs: 'Multi-Family' → 'multi-family'.
 * @param taken slugs, present and former, of the other types
 */
export function slugFor(name: string, taken: ReadonlySet<string>): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
  const base = plain || 'type';
  let slug = base;
  for (let number = 2; taken.has(slug); number += 1) slug = `${base}-${number}`;
  return slug;
}
