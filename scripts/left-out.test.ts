import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { leftOut, withoutLeftOut } from './left-out.ts';

const sourceOf = (name: string) => readFileSync(join(projectRoot, 'node_modules', name), 'utf8');

test.each(Object.keys(leftOut))('%s has what is left out of it, once', (name) => {
  const code = sourceOf(name);
  expect(withoutLeftOut(name, code).length).toBeLessThan(code.length);
});

test('a package that has changed is refused', () => {
  const [name = ''] = Object.keys(leftOut);
  expect(() => withoutLeftOut(name, 'function preload() {}')).toThrow(/has 0 of/);
});

test('a body and a value are replaced, everything else stays', () => {
  const name = 'react-router/dist/production/lib/dom/ssr/components.js';
  const code = sourceOf(name);
  const less = withoutLeftOut(name, code);
  expect(less).toMatch(/function PrefetchPageLinks\([^)]*\) \{ throw Error\(/);
  expect(less).toContain('let routeModulesScript = " ";');
  expect(less).toContain('function Meta()');
});

/** What a source would write that needs something of it. */
const NEEDS = [
  // events and actions
  /onBeforeInput|onComposition(Start|End|Update)|<[a-z][\w.]*\s[^>]*\bonSelect=/,
  /useFormStatus|useActionState|(formA|\ba)ction=\{(async\b|\([^)]*\) =>)/,
  // style sheets and hints by components
  /\bprecedence=|\b(preinit|preinitModule|preloadModule|prefetchDNS|preconnect)\(|\bpreload\(/,
  // components
  /<Activity\b|SuspenseList|findDOMNode|PrefetchPageLinks|<[a-z]+(-[a-z]+)+[\s>]/,
  // the router
  /\bprefetch=|viewTransition|instrumentations|createStaticRouter/,
];

test('nothing that browsers get uses what is left out', () => {
  const files = ['app', 'features', 'ui']
    .flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(folder, file),
      ),
    )
    .filter((file) => file.endsWith('.tsx'));
  expect(files.length).toBeGreaterThan(300);
  const using = files.filter((file) => {
    const source = readFileSync(join(projectRoot, file), 'utf8');
    return NEEDS.some((need) => need.test(source));
  });
  expect(using).toEqual([]);
});
