import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { catalogue as publicCatalogue } from './catalogue.ts';
import { lookedUpTexts } from './looked-up.ts';
import { officeCatalogue, unreachableTexts } from './office-catalogue.ts';

const catalogue = [...publicCatalogue, ...officeCatalogue];

const textsOf = (spec: string): string[] => {
  const file = join(projectRoot, 'tests/e2e', `${spec}.spec.ts`);
  return lookedUpTexts(file, readFileSync(file, 'utf8'));
};

describe('R9: every fixed text is looked up in a browser test', () => {
  test.each([...new Set(catalogue.map(({ lookedUpIn }) => lookedUpIn))])('%s', (spec) => {
    const lookedUp = textsOf(spec);
    const texts = catalogue.filter(({ lookedUpIn }) => lookedUpIn === spec).flatMap(({ texts }) => texts);
    expect(texts.filter((text) => !lookedUp.some((found) => found.includes(text)))).toEqual([]);
  });

  test('and catalogued once for each place', () => {
    const entries = catalogue.flatMap(({ place, texts }) => texts.map((text) => `${place}: ${text}`));
    expect(entries.filter((entry, at) => entries.indexOf(entry) !== at)).toEqual([]);
  });

  test.each(unreachableTexts)('or, where no page can show it, in $assertedIn', ({ assertedIn, texts }) => {
    const source = readFileSync(join(projectRoot, assertedIn), 'utf8');
    // Alone, or with what follows from a value.
    const says = (text: string) => source.includes(`'${text}'`) || source.includes(`\`${text} \${`);
    expect(texts.filter((text) => !says(text))).toEqual([]);
  });
});

describe('looking up', () => {
  const lookup = (source: string) => lookedUpTexts('x.spec.ts', source);

  test.each([
    ['an expectation', "await expect(page.getByText('A')).toBeVisible()"],
    ['an expected text', "await expect(page.locator('h1')).toHaveText('A')"],
    ['a pattern', 'await expect(page.getByText(/^A/)).toBeVisible()'],
    ['an action', "await page.getByRole('button', { name: 'A' }).click()"],
    ['a constant', "const NAME = 'A'; await page.getByText(NAME).click()"],
    ['a list', "for (const [name] of [['A', 1]] as const) await expect(page.getByText(name)).toBeVisible()"],
    [
      'a named part',
      "const part = (page: Page) => page.getByText('A'); await expect(part(page)).toBeVisible()",
    ],
  ])('%s counts', (_, source) => expect(lookup(source).some((text) => text.includes('A'))).toBe(true));

  test.each([
    ['what is expected to be absent', "await expect(page.getByText('A')).not.toBeVisible()"],
    ['what is expected to be hidden', "await expect(page.getByText('A')).toBeHidden()"],
    ['none of it', "await expect(page.getByText('A')).toHaveCount(0)"],
    ['input', "await page.getByLabel('B').fill('A')"],
    ['a locator without expectation', "const part = page.getByText('A')"],
    ['a comment', '// A'],
  ])('%s does not count', (_, source) => expect(lookup(source)).not.toContain('A'));
});
