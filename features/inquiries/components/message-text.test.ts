import { expect, it } from 'vitest';
import { pieces } from './message-text.tsx';

const links = (text: string) => pieces(text).flatMap(({ href }) => href ?? []);

it('finds web addresses and leaves every character of the text', () => {
  const text = 'See https://county.test/plats?lot=7, or (http://survey.test/a). Not javascript:alert(1).';
  expect(links(text)).toEqual(['https://county.test/plats?lot=7', 'http://survey.test/a']);
  expect(
    pieces(text)
      .map((piece) => piece.text)
      .join(''),
  ).toBe(text);
});

it('takes neither marks of HTML nor what is no address', () => {
  expect(links('<a href="https://x.test/">y</a>')).toEqual(['https://x.test/']);
  expect(links('https:// and ftp://x.test and data:text/html,x')).toEqual([]);
  expect(pieces('')).toEqual([]);
});
