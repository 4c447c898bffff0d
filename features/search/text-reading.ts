import type { Ctx } from '#platform/context.ts';
import { type Reading, readIntents, type Span } from './intents.ts';
import type { SearchableType } from './model.ts';
import { longestNames } from './places.ts';
import { readingOf, textOf } from './rules.ts';
import { type PlacedWord, placedWords } from './words.ts';

/**
 * What the text of a list's URL asks for, as `readingOf`, but places come first: 'Land O Lakes' is no land, where it has listings. Asks
 * the database only where what was understood has words beside it.
 */
export async function readText(
  ctx: Ctx,
  params: URLSearchParams,
  types: readonly SearchableType[],
): Promise<Reading> {
  const plain = readingOf(params, types);
  if (plain.cuts.length === 0 || plain.words === '') return plain;
  const text = textOf(params);
  const names = await namesAcross(ctx, placedWords(text), plain.cuts);
  return names.length > 0 ? readIntents(text, types, names) : plain;
}

/** Names of places that have both words that were cut and words that were not, or words of several cuts. */
async function namesAcross(ctx: Ctx, placed: readonly PlacedWord[], cuts: readonly Span[]): Promise<Span[]> {
  const isCut = ({ start, end }: Span) => cuts.some((cut) => start < cut.end && end > cut.start);
  const isName = ({ word }: PlacedWord) => !/\d/.test(word);
  const hasNeighbour = placed.some((one, at) => {
    const next = placed[at + 1];
    return next !== undefined && isName(one) && isName(next) && isCut(one) !== isCut(next);
  });
  if (!hasNeighbour) return [];
  const named = await longestNames(
    ctx,
    placed.map(({ word }) => word),
  );
  return named
    .map(({ from, to }) => ({ start: placed[from]?.start ?? 0, end: placed[to - 1]?.end ?? 0 }))
    .filter((name) => isCut(name) && !cuts.some(({ start, end }) => name.start >= start && name.end <= end));
}
