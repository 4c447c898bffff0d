import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import routes from '#app/routes.ts';
import { searchParameters } from '#features/search/parameters.ts';

/** The names that a page reads, found in the sources that it is made of. */
export interface PageNames {
  /** the pattern of its address */
  path: string;
  /** query parameters and form fields */
  names: readonly string[];
  /** whether it takes forms */
  acts: boolean;
  /** what its forms can ask for; empty without a form */
  intents: readonly string[];
}

const ROOT = join(import.meta.dirname, '../../..');
const IMPORT = /\bfrom '(#(?:app|features|gateways|routing)\/[^']+|\.[^']+)'/g;
/** How sources read a parameter or a field, or write one: `params.get('q')`, `text('note')`, `<input name="day">`. */
const NAME =
  /(?:\.(?:get|getAll|has|query)|\b(?:text|given|number|formText|textOf|textFields|wholeNumber|flag|list))\((?:\w+, )?'([\w$-]+)'|\sname="([\w-]+)"|\bpreserve: \[([^\]]*)\]/g;

/** The options of the exchange, which are read without their `$`. */
const ODATA = ['filter', 'select', 'orderby', 'top', 'skip', 'count', 'expand', 'skiptoken', 'format'].map(
  (name) => `$${name}`,
);

/** What the router reads itself. */
const OF_ROUTER = ['paths', '_routes', 'index'];

const source = new Map<string, string>();
function textOf(file: string): string {
  const known = source.get(file) ?? readFileSync(join(ROOT, file), 'utf8');
  source.set(file, known);
  return known;
}

/** A file and all of ours that it imports, from near to far. */
export function closureOf(entry: string): string[] {
  const files = new Set([entry]);
  for (const file of files)
    for (const [, name = ''] of textOf(file).matchAll(IMPORT)) {
      const target = name.startsWith('#') ? name.slice(1) : relative(ROOT, join(ROOT, dirname(file), name));
      if (/\.tsx?$/.test(target) && existsSync(join(ROOT, target))) files.add(target);
    }
  return [...files];
}

/** The text of the object literal that begins at a brace, with computed keys and without what is nested in it. */
function flatLiteral(text: string, brace: number): string {
  const open: string[] = [];
  let flat = '';
  for (const char of text.slice(brace)) {
    if ('{(['.includes(char)) open.push(char);
    if (open.length === 1 || (open.length === 2 && open[1] === '[')) flat += char;
    if ('}])'.includes(char)) open.pop();
    if (open.length === 0) break;
  }
  return flat;
}

/** `intents: {`, `const feeIntents: … = {`, and `payoutIntents = (…) => { … return {`. */
const LITERAL = /\b(?:\w*I|i)ntents(?:: \{|\b[^\n]* = \{|\b[^\n]* = \([\s\S]{0,400}?\n {2}return \{)/g;
const KEY = /(?<=[{,]\s*)(?:async )?(?:'([\w-]+)'|([a-zA-Z]\w*)|\[(?:\w+\.)?([A-Z_]+)\])(?=\s*[,:}(])/g;
/** One handler for each of a list of intents. */
const LISTED = /\bObject\.fromEntries\((\w+)\.map/g;
const CASE = /\bfallback: '([\w-]+)'|\bcase '([\w-]+)':/g;

function intentsIn(files: readonly string[]): string[] {
  const all = files.map(textOf).join('\n');
  const constant = (name: string) => new RegExp(`\\b${name} = '([\\w-]+)'`).exec(all)?.[1];
  const list = (name: string): string =>
    (new RegExp(`\\b${name}\\b[^=;]* = \\[([^\\]]*)\\]`).exec(all)?.[1] ?? '').replace(
      /\.\.\.(\w+)/g,
      (_, other: string) => list(other),
    );
  const found = new Set<string>();
  for (const text of files.filter((file) => file.startsWith('app/')).map(textOf)) {
    for (const { index, 0: match } of text.matchAll(LITERAL))
      for (const [, quoted, plain, computed = ''] of flatLiteral(text, index + match.length - 1).matchAll(
        KEY,
      ))
        found.add(quoted ?? plain ?? constant(computed) ?? '');
    if (/[iI]ntents/.test(text))
      for (const [, name = ''] of text.matchAll(LISTED))
        for (const [, value = ''] of list(name).matchAll(/'([\w-]+)'/g)) found.add(value);
    for (const [, fallback, value] of text.matchAll(CASE)) found.add(fallback ?? value ?? '');
  }
  found.delete('');
  return [...found];
}

function namesIn(files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files)
    for (const [, read, written, kept = ''] of textOf(file).matchAll(NAME)) {
      for (const [, name = ''] of kept.matchAll(/'([\w-]+)'/g)) found.add(name);
      found.add(read ?? written ?? '');
    }
  found.delete('');
  return [...found];
}

const pagesOf = (entries: readonly RouteConfigEntry[], parent = ''): { path: string; file: string }[] =>
  entries.flatMap(({ path, index, file, children }) => {
    const here = path ? `${parent}/${path}` : parent;
    const own = index || (path && !children) ? [{ path: here || '/', file: `app/${file}` }] : [];
    return [...own, ...pagesOf(children ?? [], here)];
  });

/** Everything that is read of a query or a form anywhere: by pages, by endpoints and by the search. */
export const allNames = (): string[] => [
  ...new Set([
    ...pageNames().flatMap(({ names }) => names),
    ...namesIn(closureOf('app/server/endpoints.ts')),
    ...Object.keys(searchParameters),
    ...ODATA,
    ...OF_ROUTER,
  ]),
];

/** What every page reads. */
export function pageNames(): PageNames[] {
  return pagesOf(routes).map(({ path, file }) => {
    const files = closureOf(file);
    const searches = files.includes('features/search/parameters.ts') ? Object.keys(searchParameters) : [];
    const acts = /\bexport (?:const|(?:async )?function) action\b/.test(textOf(file));
    return { path, acts, names: [...namesIn(files), ...searches], intents: acts ? intentsIn(files) : [] };
  });
}
