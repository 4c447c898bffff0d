import { expect, test } from 'vitest';
import { renderMail } from './layout.ts';

const BRAND = 'Acre Trading Post';
const content = {
  heading: 'Confirm your email address',
  paragraphs: ['Welcome to the post.', 'One step is left,\nand it is short.'],
  button: { label: 'Confirm', url: 'https://acre.test/confirm?token=a&next=%2F' },
  footer: 'You get this mail because you signed up.',
};

test('has the same content in text and in HTML', () => {
  const { text, html } = renderMail(BRAND, content);
  expect(text).toBe(
    [
      'Acre Trading Post',
      'Confirm your email address',
      'Welcome to the post.',
      'One step is left,\nand it is short.',
      'Confirm:\nhttps://acre.test/confirm?token=a&next=%2F',
      '-- \nYou get this mail because you signed up.\n',
    ].join('\n\n'),
  );
  expect(html).toContain('>Confirm your email address</h1>');
  expect(html).toContain('One step is left,<br>and it is short.');
  expect(html.match(/href="https:\/\/acre\.test\/confirm\?token=a&amp;next=%2F"/g)).toHaveLength(2);
  expect(html).toContain('You get this mail because you signed up.');
});

test('escapes all content that may come from a user', () => {
  const hostile = `"><img src=x onerror=alert(1)>'&`;
  const { html } = renderMail(BRAND, {
    heading: hostile,
    paragraphs: [hostile],
    button: { label: hostile, url: 'https://acre.test/"><script>alert(1)</script>' },
    footer: hostile,
    preview: hostile,
  });
  expect(html).not.toMatch(/<img|<script/);
  expect(html.match(/&quot;&gt;&lt;img src=x onerror=alert\(1\)&gt;&#39;&amp;/g)).toHaveLength(6);
});

test('a footer link ends the text and is part of the footer in HTML', () => {
  const footerLink = { label: 'Stop <these>', url: 'https://acre.test/unsubscribe?token=a&b=1' };
  const { text, html } = renderMail(BRAND, { ...content, footerLink });
  expect(text).toMatch(/signed up\.\n\nStop <these>:\nhttps:\/\/acre\.test\/unsubscribe\?token=a&b=1\n$/);
  expect(html).toMatch(
    /<a [^>]*href="https:\/\/acre\.test\/unsubscribe\?token=a&amp;b=1"[^>]*>Stop &lt;these&gt;<\/a>/,
  );
  expect(() =>
    renderMail(BRAND, { ...content, footerLink: { label: 'x', url: 'javascript:alert(1)' } }),
  ).toThrow();
});

test.each(['javascript:alert(1)', 'data:text/html,x', '/relative', ''])('rejects a button to %j', (url) => {
  expect(() => renderMail(BRAND, { ...content, button: { label: 'Go', url } })).toThrow(/http or https/);
});

test('supports dark mode and loads nothing from the network', () => {
  const { html } = renderMail(BRAND, content);
  expect(html).toContain('<meta name="color-scheme" content="light dark">');
  expect(html).toContain('prefers-color-scheme: dark');
  expect(html).not.toMatch(/<link|<img|url\(|@import/);
});

test('button and footer are optional', () => {
  const { text, html } = renderMail(BRAND, { heading: 'Hello', paragraphs: ['Text'] });
  expect(text).toBe('Acre Trading Post\n\nHello\n\nText\n');
  expect(html).not.toContain('<a ');
});

test('carries the name of the marketplace, escaped', () => {
  const { text, html } = renderMail('Ann & Co', { heading: 'Hello', paragraphs: ['Text'] });
  expect(text).toMatch(/^Ann & Co\n/);
  expect(html.match(/Ann &amp; Co/g)).toHaveLength(2);
  expect(text + html).not.toContain('Acre');
});

test('names the address for questions before the link of the footer', () => {
  const footerLink = { label: 'Unsubscribe', url: 'https://acre.test/unsubscribe' };
  const { text, html } = renderMail(BRAND, { ...content, footer: 'Because.', footerLink }, 'help@acre.test');
  expect(text).toContain('-- \nBecause.\n\nQuestions? Write to help@acre.test.\n\nUnsubscribe:\n');
  expect(html).toMatch(/Because\.<br>Questions\? Write to help@acre\.test\. <a /);
});
