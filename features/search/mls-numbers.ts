import type { Ctx } from '#platform/context.ts';
import type { Term } from './terms.ts';

/** A number that is introduced as one: 'MLS# 20114477'. */
const introduced = /\bmls\s*(?:#|no\.?|number|num|id)?\s*[:#]?\s*([a-z0-9][\w.-]{2,59})/i;
/** A text that is nothing but a number of at least five characters with two digits or more; '#' may stand before it. */
const alone = /^#?\s*((?=(?:\D*\d){2})[a-z0-9][\w.-]{4,59})$/i;

/** What a text gives as the number of a multiple listing service, as it may stand there; null for a text without one. */
export function mlsNumberIn(text: string): string | null {
  const [, number] = introduced.exec(text.trim()) ?? alone.exec(text.trim()) ?? [];
  return number && /\d/.test(number) ? number.toLowerCase() : null;
}

/** The public listings with the number that the text gives; null where no listing has it. */
export async function mlsTerm(ctx: Ctx, text: string): Promise<Term | null> {
  const number = mlsNumberIn(text);
  if (number === null) return null;
  const known = await ctx.db
    .replica()
    .selectFrom('properties')
    .select('id')
    .where((where) => where(where.fn<string>('lower', ['mls_number']), '=', number))
    .limit(1)
    .executeTakeFirst();
  return known ? { lexemes: [`=i:${number}`], beginning: null, entries: 1 } : null;
}
