import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

type Tokens = Record<string, string>;

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');
const block = (selector: string): string => css.slice(css.indexOf(`${selector} {`)).split('\n}')[0] ?? '';
const tokensOf = (text: string): Tokens =>
  Object.fromEntries(
    [...text.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]),
  );

const light = tokensOf(block(':root'));
const themes: Record<string, Tokens> = { light, dark: { ...light, ...tokensOf(block('.dark')) } };

/** The color behind a token as #rrggbb, through any chain of var(). */
function color(tokens: Tokens, name: string): string {
  let value = tokens[name] ?? '';
  while (value.startsWith('var(')) value = tokens[value.slice(6, -1)] ?? '';
  if (!/^#[0-9a-f]{6}$/i.test(value)) throw new Error(`--${name} is no #rrggbb color: '${value}'`);
  return value;
}

/** Relative luminance of WCAG 2.2, 0 to 1. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const grounds = ['bg', 'surface', 'surface-sunken', 'surface-hover', 'surface-selected', 'surface-raised'];
const pairs: [string, string, number][] = [
  ...['text', 'text-muted', 'text-subtle', 'link', 'accent-text'].flatMap((ink) =>
    grounds.map((ground): [string, string, number] => [ink, ground, 4.5]),
  ),
  ...['ok', 'warn', 'info', 'bad', 'mute'].flatMap((tone): [string, string, number][] => [
    [`${tone}-fg`, `${tone}-bg`, 4.5],
    [`${tone}-fg`, 'surface', 4.5],
  ]),
  ['text-on-strong', 'strong', 4.5],
  ['text-on-primary', 'primary', 4.5],
  ['text-on-danger', 'danger', 4.5],
  ['danger', 'surface', 4.5],
  ['primary', 'primary-soft', 4.5],
  ['accent-text', 'accent-soft', 4.5],
  ['border-control', 'surface', 3],
  ['border-control', 'bg', 3],
  ['focus', 'bg', 3],
  ['focus', 'surface', 3],
  ['chart-1', 'surface', 3],
  ['chart-2', 'surface', 3],
  ['text-on-primary', 'primary-hover', 4.5],
  ['text-on-primary', 'primary-active', 4.5],
  ['text-on-danger', 'danger-hover', 4.5],
  ['office-text', 'office', 4.5],
  ['office-strong', 'office', 4.5],
  ['disc-brass-ink', 'sand-0', 4.5],
];

test.each(
  Object.keys(themes).flatMap((theme) =>
    pairs.map(([ink, ground, min]) => [theme, ink, ground, min] as const),
  ),
)('%s: %s on %s reaches %d', (theme, ink, ground, min) => {
  const tokens = themes[theme] ?? {};
  expect(contrast(color(tokens, ink), color(tokens, ground))).toBeGreaterThanOrEqual(min);
});
