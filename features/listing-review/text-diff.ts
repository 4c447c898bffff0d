/** A run of words that both texts share, or that only one of them has. */
export interface TextPart {
  text: string;
  changed: boolean;
}

/** Above this many comparisons a text counts as replaced as a whole. */
const MOST_COMPARISONS = 1_000_000;

/** What of two texts differs, word by word: each text in parts, in its order. */
export function textDiff(before: string, after: string): { before: TextPart[]; after: TextPart[] } {
  const [old, young] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < young.length - start &&
    old[old.length - 1 - end] === young[young.length - 1 - end]
  )
    end += 1;
  const middle = [old.slice(start, old.length - end), young.slice(start, young.length - end)] as const;
  const unchanged = unchangedWords(...middle);
  const marked = (words: string[], shared: ReadonlySet<number>) =>
    joined(
      words.map((text, index) => ({
        text,
        changed: index >= start && index < words.length - end && !shared.has(index - start),
      })),
    );
  return { before: marked(old, unchanged.old), after: marked(young, unchanged.young) };
}

/** Words with the blanks that follow them, so that joining them gives the text. */
const wordsOf = (text: string): string[] => text.match(/\S+\s*|^\s+/g) ?? [];

/** The positions of a longest common sequence of words in both. */
function unchangedWords(old: readonly string[], young: readonly string[]) {
  const unchanged = { old: new Set<number>(), young: new Set<number>() };
  if (old.length * young.length > MOST_COMPARISONS) return unchanged;
  const bare = (word: string | undefined) => word?.trimEnd();
  const width = young.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1)
    for (let column = young.length - 1; column >= 0; column -= 1)
      lengths[row * width + column] =
        bare(old[row]) === bare(young[column])
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  for (let row = 0, column = 0; row < old.length && column < young.length; ) {
    if (bare(old[row]) === bare(young[column])) {
      unchanged.old.add(row++);
      unchanged.young.add(column++);
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return unchanged;
}

/** Neighbouring words of one kind as one part. */
function joined(words: readonly TextPart[]): TextPart[] {
  const parts: TextPart[] = [];
  for (const word of words) {
    const last = parts.at(-1);
    if (last?.changed === word.changed) last.text += word.text;
    else parts.push({ ...word });
  }
  return parts;
}
