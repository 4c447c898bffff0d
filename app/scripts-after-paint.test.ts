import { expect, test } from 'vitest';
import { scriptsAfterPaint } from './scripts-after-paint.ts';

const page = (body: string) =>
  `<!DOCTYPE html><html><head><link rel="modulepreload" href="/assets/entry.js" nonce="n"/><link rel="modulepreload" href="/assets/root.js" nonce="n"/></head><body>${body}</body></html>`;
const script = `<script nonce="n" type="module" async="">;
import * as route0 from "/assets/root.js";
import * as route1_clientAction from "/assets/property-action.js";
import * as route1_main from "/assets/property.js";
const route1 = {...route1_clientAction,...route1_main};
  window.__reactRouterRouteModules = {"root":route0,"property":route1};

import("/assets/entry.js");</script>`;

test('nothing is asked for before the first frame', () => {
  const html = scriptsAfterPaint(page(`<h1>Home</h1>${script}`));
  expect(html).not.toContain('<link rel="modulepreload"');
  expect(html).not.toMatch(/^import /m);
  expect(html).toContain('<h1>Home</h1><script nonce="n" type="module" async="">await new Promise(');
});

test('then the same modules are loaded, asked for together and run in their order', () => {
  const html = scriptsAfterPaint(page(script));
  expect(html).toContain('for(const href of ["/assets/entry.js","/assets/root.js"])');
  expect(html).toContain('const route0 = await import("/assets/root.js");');
  expect(html).toContain(
    'const route1_main = await import("/assets/property.js");\nconst route1 = {...route1_clientAction,...route1_main};',
  );
  expect(html.indexOf('import("/assets/property.js")')).toBeLessThan(
    html.indexOf('import("/assets/entry.js")'),
  );
});

test('a page without scripts stays as it is', () => {
  const html = page('<h1>Gone</h1>');
  expect(scriptsAfterPaint(html)).toBe(html);
});

test('what a person has typed is not taken for a pattern', () => {
  const typed = '<p>$& $1 &lt;script&gt;</p>';
  expect(scriptsAfterPaint(page(typed + script))).toContain(typed);
});
