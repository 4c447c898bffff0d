const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** All strings one edit away: a letter deleted, inserted, replaced, or two adjacent ones swapped. */
export function singleEdits(word: string): string[] {
  const edits = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at);
    const after = word.slice(at);
    if (after) edits.add(before + after.slice(1));
    if (after.length > 1) edits.add(before + after.charAt(1) + after.charAt(0) + after.slice(2));
    for (const letter of LETTERS) {
      edits.add(before + letter + after);
      if (after) edits.add(before + letter + after.slice(1));
    }
  }
  edits.delete(word);
  edits.delete('');
  return [...edits];
}

/** The word with each two different letters that are next to each other swapped. */
export const adjacentSwaps = (word: string): string[] =>
  Array.from({ length: word.length - 1 }, (_, at) =>
    word.charAt(at) === word.charAt(at + 1)
      ? word
      : word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
  ).filter((swapped) => swapped !== word);

/** Edit distance of two words, with adjacent swaps (optimal string alignment). */
export function editDistance(first: string, second: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: second.length + 1 }, (_, index) => index);
  for (let i = 1; i <= first.length; i++) {
    const row = [i];
    for (let j = 1; j <= second.length; j++) {
      const wrong = first[i - 1] === second[j - 1] ? 0 : 1;
      let distance = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + wrong);
      if (i > 1 && j > 1 && first[i - 1] === second[j - 2] && first[i - 2] === second[j - 1]) {
        distance = Math.min(distance, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(distance);
    }
    [beforeLast, last] = [last, row];
  }
  return last[second.length] ?? 0;
}

/** Only words of at least four letters and without digits are corrected, so that numbers never change. */
export const mayBeMisspelt = (word: string): boolean => word.length >= 4 && !/\d/.test(word);

/**
 * At most three likely corrections: fewest edits first (one, or up to two from six letters), then those with the same
 * first letter, then the more frequent.
 * @param candidates the more frequent first
 */
export function likelyCorrections(word: string, candidates: readonly string[]): string[] {
  const most = word.length >= 6 ? 2 : 1;
  return candidates
    .filter((candidate) => candidate !== word && mayBeMisspelt(candidate))
    .map((candidate, rank) => ({
      candidate,
      rank,
      distance: editDistance(word, candidate),
      sameStart: candidate[0] === word[0] ? 0 : 1,
    }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance || a.sameStart - b.sameStart || a.rank - b.rank)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}
