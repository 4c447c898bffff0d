import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { PolicyText } from './components/policy-text.tsx';
import { fillPlaceholders, parseMarkdown } from './markdown.ts';

const html = (text: string) =>
  renderToStaticMarkup(createElement(PolicyText, { blocks: parseMarkdown(text) }));

it('renders headings, paragraphs, lists, bold and links', () => {
  expect(
    html('# Terms\nFirst\nline\n\nMore:\n- **one**\n- [two](https://example.org/a?b=c)\n### Small'),
  ).toBe(
    '<div class="policy-text"><h2>Terms</h2><p>First line</p><p>More:</p><ul><li><b>one</b></li>' +
      '<li><a class="link" href="https://example.org/a?b=c" rel="noopener">two</a></li></ul><h3>Small</h3></div>',
  );
});

it.each([
  ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
  ['[x](javascript:alert(1))', '[x](javascript:alert(1))'],
  ['[x](//evil.example)', '[x](//evil.example)'],
  ['**<img src=x onerror=alert(1)>**', '<b>&lt;img src=x onerror=alert(1)&gt;</b>'],
])('shows %s as text', (text, shown) => {
  expect(html(text)).toBe(`<div class="policy-text"><p>${shown}</p></div>`);
});

it('puts the name and the support address in their places, where the address becomes a link', () => {
  const filled = fillPlaceholders('{marketplace} at {support}.', {
    brand: '$& Co',
    support: 'help@acre.test',
  });
  expect(filled).toBe('$& Co at help@acre.test.');
  expect(html(filled)).toContain(
    '<a class="link" href="mailto:help@acre.test" rel="noopener">help@acre.test</a>.',
  );
});
