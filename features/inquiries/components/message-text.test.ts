import { expect, it } from 'vitest';
import { splitUrls } from './message-text.tsx';

const links = (text: string) => splitUrls(text).flatMap(({ href }) => href ?? []);

it('finds URLs and keeps every character of the text', () => {
  const text = 'See https://county.test/plats?lot=7, or (http://survey.test/a). Not javascript:alert(1).';
  expect(links(text)).toEqual(['https://county.test/plats?lot=7', 'http://survey.test/a']);
  expect(
    splitUrls(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

it('ignores HTML markup and anything that is not a web URL', () => {
  expect(links('<a href="https://x.test/">y</a>')).toEqual(['https://x.test/']);
  expect(links('https:// and ftp://x.test and data:text/html,x')).toEqual([]);
  expect(splitUrls('')).toEqual([]);
});
