import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allNames, pageNames } from './page-names.ts';

/** Requests of the access matrix, which know the pages by hand. */
const folder = join(import.meta.dirname, '../addresses');
const requests = readdirSync(folder)
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');
const found = (pattern: RegExp) => [...new Set([...requests.matchAll(pattern)].map(([, name = '']) => name))];

/** What the matrix asks for although nothing knows it. */
const UNKNOWN = ['unknown'];
/** Actions that take no intent. */
const WITHOUT_INTENTS = ['/logout', '/property/:id/view'];

describe('the names that hostile requests use', () => {
  const pages = pageNames();

  it('cover every parameter and every intent of the access matrix', () => {
    const names = new Set(allNames());
    expect(found(/[?&]([$\w-]+)=/g).filter((name) => !names.has(name))).toEqual([]);
    const intents = new Set([...UNKNOWN, ...pages.flatMap((page) => page.intents)]);
    expect(found(/\bintent: '([\w-]+)'/g).filter((intent) => !intents.has(intent))).toEqual([]);
  });

  it('cover the form of every page that has one', () => {
    const withoutAny = pages.filter(({ acts, intents }) => acts && intents.length === 0);
    expect(withoutAny.map(({ path }) => path)).toEqual(WITHOUT_INTENTS);
  });

  it('are those of the page', () => {
    const at = (path: string) => pages.find((page) => page.path === path);
    expect(at('/properties')?.names).toEqual(
      expect.arrayContaining(['area', 'keywords', 'amenity', 'lot-min']),
    );
    expect(at('/admin/reports')?.names).toEqual(expect.arrayContaining(['from', 'to', 'grouping', 'zone']));
    expect(at('/agent/tours')?.intents).toEqual(expect.arrayContaining(['confirm', 'propose']));
    expect(at('/admin/dashboard')?.intents).toEqual(
      expect.arrayContaining(['process-payouts', 'approve-run']),
    );
    expect(at('/sandbox/checkout/:ref')?.intents).toEqual(expect.arrayContaining(['pay', 'send_late']));
  });
});
