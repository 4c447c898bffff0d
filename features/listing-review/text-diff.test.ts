import { expect, it } from 'vitest';
import { textDiff } from './text-diff.ts';

const marked = (before: string, after: string) => {
  const diff = textDiff(before, after);
  const show = (parts: { text: string; changed: boolean }[]) =>
    parts.map(({ text, changed }) => (changed ? `[${text.trim()}]` : text.trim())).join(' ');
  return [show(diff.before), show(diff.after)];
};

it('marks the words that differ', () => {
  expect(
    marked(
      'Low timber house with a two-car garage and a walled garden.',
      'Low timber house with a finished studio over the garage and a walled garden.',
    ),
  ).toEqual([
    'Low timber house with a [two-car] garage and a walled garden.',
    'Low timber house with a [finished studio over the] garage and a walled garden.',
  ]);
  expect(marked('a b c', 'a b c')).toEqual(['a b c', 'a b c']);
  expect(marked('', 'new')).toEqual(['', '[new]']);
  expect(marked('old', '')).toEqual(['[old]', '']);
  expect(marked('one two three', 'zero one two')).toEqual(['one two [three]', '[zero] one two']);
});

it('loses nothing of either text', () => {
  const [before, after] = ['  two\n\nlines  here ', 'two lines\tthere'];
  const diff = textDiff(before, after);
  expect(diff.before.map(({ text }) => text).join('')).toBe(before);
  expect(diff.after.map(({ text }) => text).join('')).toBe(after);
});

it('takes long texts as replaced as a whole', () => {
  const words = (word: string) => `${word} `.repeat(2_000);
  const diff = textDiff(`${words('a')}x`, `${words('b')}x`);
  expect(diff.before.map(({ changed }) => changed)).toEqual([true, false]);
});
