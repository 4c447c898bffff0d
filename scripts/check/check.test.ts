import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkBundle } from './bundle.ts';
import { checkSources } from './rules.ts';
import { parseSource, readSources } from './sources.ts';

const check = (files: Record<string, string>) =>
  checkSources(Object.entries(files).map(([path, text]) => parseSource(path, text))).map(
    ({ file, line, message }) => `${file}${line ? `:${line}` : ''} ${message}`,
  );
const empty = { 'platform/db/database.ts': '', 'features/fees/rules.ts': '', 'features/fees/reads.ts': '' };

describe('parsing imports', () => {
  it.each([
    ["import { a } from './b.ts';", './b.ts', false],
    ["import './b.ts';", './b.ts', false],
    ["import type { A } from './b.ts';", './b.ts', true],
    ["import { type A, type B } from './b.ts';", './b.ts', true],
    ["import { type A, b } from './b.ts';", './b.ts', false],
    ["import a, { type B } from './b.ts';", './b.ts', false],
    ["import * as a from './b.ts';", './b.ts', false],
    ["import {\n  a,\n  b,\n} from './b.ts';", './b.ts', false],
    ["export { a } from './b.ts';", './b.ts', false],
    ["export * from './b.ts';", './b.ts', false],
    ["export type { A } from './b.ts';", './b.ts', true],
    ["const a = await import('./b.ts');", './b.ts', false],
    ["/* why */ import { a } from './b.ts'; // so", './b.ts', false],
  ])('%s', (text, specifier, typeOnly) => {
    expect(parseSource('app/a.ts', text).imports).toMatchObject([{ specifier, typeOnly }]);
  });

  it.each([
    "// import { a } from './b.ts';",
    "/*\nimport { a } from './b.ts';\n*/",
    'const a = "https://x.test/import";',
    'export const from = 1;',
  ])('finds nothing in %s', (text) => {
    expect(parseSource('app/a.ts', text).imports).toEqual([]);
  });

  it('reports the line and the target', () => {
    const text =
      "import 'react';\n/* one\ntwo */\nimport { a } from '../b.ts';\nimport c from '#ui/c.tsx?url';\n";
    expect(parseSource('app/x/a.ts', text).imports).toMatchObject([
      { line: 1, target: { kind: 'package', name: 'react' } },
      { line: 4, target: { kind: 'file', path: 'app/b.ts' } },
      { line: 5, target: { kind: 'file', path: 'ui/c.tsx' } },
    ]);
  });
});

describe('imports between layers', () => {
  it.each([
    ['platform/a.ts', '#features/fees/reads.ts', 'platform must not import features'],
    ['platform/a.ts', '#gateways/mail/port.ts', 'platform must not import gateways'],
    ['gateways/mail/a.ts', '#features/fees/reads.ts', 'gateways must not import features'],
    ['features/sales/reads.ts', '#app/request.ts', 'features must not import app'],
    ['features/sales/reads.ts', '#demo/load.ts', 'features must not import demo'],
    ['features/sales/reads.ts', '../../app/request.ts', 'features must not import app'],
    ['ui/a.tsx', '#features/fees/components/b.tsx', 'ui must not import features'],
    ['app/a.ts', '#tests/support/a.ts', 'app must not import tests'],
  ])('%s must not import %s', (file, specifier, message) => {
    expect(check({ ...empty, [file]: `import { a } from '${specifier}';` })).toEqual([
      `${file}:1 ${message} (${specifier})`,
    ]);
  });

  it.each([
    ['app/a.ts', '#features/fees/reads.ts'],
    ['features/sales/mails.ts', '#routing/paths.ts'],
    ['features/sales/reads.ts', '#platform/db/database.ts'],
    ['tests/a.ts', '#features/fees/deep/thing.ts'],
    ['platform/a.test.ts', '#tests/support/a.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(check({ ...empty, [file]: `import { a } from '${specifier}';` })).toEqual([]);
  });
});

describe('code loaded by the browser', () => {
  const chain = {
    ...empty,
    'platform/money.ts': "import { x } from './x.ts';",
    'platform/x.ts': "import { readFileSync } from 'node:fs';",
  };
  it.each([
    ['features/sales/rules.ts', "import { q } from '#platform/db/database.ts';", 'platform/db/database.ts'],
    ['features/sales/model.ts', "import { randomUUID } from 'node:crypto';", 'node:crypto'],
    ['features/sales/components/a.tsx', "import { a } from '#platform/money.ts';", 'node:fs'],
    ['ui/a.tsx', "import { sql } from 'kysely';", 'kysely'],
  ])('%s must not import server code', (file, text, what) => {
    expect(check({ ...chain, [file]: text })).toEqual([
      expect.stringContaining(`${file}:1 may be loaded by a browser and reaches ${what}`),
    ]);
  });
  it('may import types', () => {
    const text = "import type { Database } from '#platform/db/database.ts';";
    expect(check({ ...chain, 'features/sales/rules.ts': text })).toEqual([]);
  });
});

describe('limits', () => {
  const file = 'features/sales/commands/a.ts';
  it.each([
    "await takeTokens(ctx, limits.a, ctx.ip ?? '');",
    'await takeTokens(\n  ctx,\n  limits.a,\n  ctx.ip ?? from,\n);',
    "if (!(await hasTokens(ctx, limits.a, 'ip:' + ctx.ip))) return;",
  ])('are by network, not by address: %s', (text) => {
    expect(check({ ...empty, [file]: text })).toEqual([expect.stringContaining('limits by an address')]);
  });
  it.each([
    "await takeTokens(ctx, limits.a, 'ip:' + networkOf(ctx.ip));",
    'await takeTokens(ctx, limits.a, user.id);\nconst from = ctx.ip;',
  ])('may be: %s', (text) => {
    expect(check({ ...empty, [file]: text })).toEqual([]);
  });
});

describe('feature boundaries', () => {
  const used = {
    ...empty,
    'features/fees/plan.ts': '',
    'features/fees/commands/set.ts': '',
    'features/fees/import/rows.ts': '',
  };
  it.each([
    ['features/sales/reads.ts', '#features/fees/plan.ts'],
    ['features/sales/reads.ts', '#features/fees/import/rows.ts'],
    ['app/routes/a.ts', '#features/fees/import/rows.ts'],
  ])('%s must not import %s', (file, specifier) => {
    expect(check({ ...used, [file]: `import { a } from '${specifier}';` })).toEqual([
      expect.stringContaining('reaches into features/fees/'),
    ]);
  });
  it.each([
    ['features/sales/reads.ts', '#features/fees/reads.ts'],
    ['features/sales/commands/begin.ts', '#features/fees/commands/set.ts'],
    ['app/routes/a.ts', '#features/fees/plan.ts'],
    ['features/fees/reads.ts', './plan.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(check({ ...used, [file]: `import { a } from '${specifier}';` })).toEqual([]);
  });
});

describe('import cycles', () => {
  it('between files are found at any length', () => {
    const files = {
      'platform/a.ts': "import './b.ts';",
      'platform/b.ts': "import './c.ts';",
      'platform/c.ts': "import './a.ts';",
      'platform/d.ts': "import './a.ts';",
    };
    expect(check(files)).toEqual([
      'platform/a.ts imports itself: platform/a.ts → platform/b.ts → platform/c.ts → platform/a.ts',
    ]);
  });
  it('of types count too, and so do those through models and components', () => {
    const files = {
      'features/sales/model.ts': "import type { A } from '#features/fees/components/fee.tsx';",
      'features/fees/components/fee.tsx': "import type { B } from '#features/sales/model.ts';",
    };
    expect(check(files)).toEqual([
      'features/fees/components/fee.tsx imports itself: features/fees/components/fee.tsx → features/sales/model.ts → features/fees/components/fee.tsx',
      'features/fees is in a circle of features: fees → sales → fees',
    ]);
  });

  it('between features are found even without a cycle of files', () => {
    const files = {
      'features/fees/reads.ts': "import { s } from '#features/sales/reads.ts';",
      'features/sales/reads.ts': '',
      'features/sales/commands/begin.ts': "import { f } from '#features/fees/reads.ts';",
    };
    expect(check(files)).toEqual(['features/fees is in a circle of features: fees → sales → fees']);
  });
});

describe('file names, file lengths, SQL and URLs', () => {
  it.each([
    ['features/fees/Reads.ts', '', 'is no file of a feature'],
    ['features/fees/panel.tsx', '', 'is no file of a feature'],
    ['features/fees/components/parts/a.tsx', '', 'is no file of a feature'],
    ['features/fees/utils.ts', '', 'is named for nothing'],
    ['ui/index.ts', '', 'is named for nothing'],
    ['platform/helpers/a.ts', '', 'is named for nothing'],
    ['platform/long.ts', 'x;\n'.repeat(401), 'has 401 lines; at most 400'],
    [
      'app/routes/a.tsx',
      "await ctx.db.q().selectFrom('users').execute();",
      'is a route and must not hold SQL',
    ],
    ['app/routes/a.tsx', 'await sql`select 1`.execute(db);', 'is a route and must not hold SQL'],
    ['app/routes/a.tsx', '<Link to={`/property`}>', 'builds an address'],
    ['features/fees/components/a.tsx', '<a href="/properties">', 'builds an address'],
    ['app/routes/a.tsx', "throw redirect('/buyer/login');", 'builds an address'],
  ])('%s is rejected: %s', (file, text, message) => {
    expect(check({ [file]: text })).toEqual([expect.stringContaining(message)]);
  });
  it.each([
    ['features/fees/fees.db.test.ts', ''],
    ['features/fees/import/rows.ts', ''],
    ['platform/db/schema.gen.ts', 'x;\n'.repeat(900)],
    ['app/routes/a.tsx', '// .selectFrom( is for reads.ts\n<Link to={paths.home()}>'],
    ['app/routes/a.tsx', '<a href="//other.example/">'],
    ['app/root.tsx', '<link rel="icon" href="/favicon.svg" />'],
    ['routing/paths.ts', 'const a = () => `/property/x`;'],
  ])('%s is accepted: %s', (file, text) => {
    expect(check({ [file]: text })).toEqual([]);
  });
});

describe('the bundle', () => {
  const bundle = (text: string) => {
    const folder = mkdtempSync(join(tmpdir(), 'acre-bundle-'));
    const file = join(folder, 'assets/entry.js');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const findings = checkBundle(folder);
    rmSync(folder, { recursive: true });
    return findings;
  };
  it.each([
    'import{readFileSync as r}from"node:fs";',
    'q.selectFrom("users")',
    'const k=process.env.STRIPE_SECRET_KEY;',
    'module.exports={get:"__vite-browser-external"}',
  ])('must not contain %s', (text) => {
    expect(bundle(text)).toMatchObject([{ file: 'build/client/assets/entry.js' }]);
  });
  it('may contain anything else', () => {
    expect(bundle('if(process.env.NODE_ENV!=="production")console.log("node: none")')).toEqual([]);
    expect(checkBundle('/nowhere')).toEqual([]);
  });
});

it('reads all sources of this project', () => {
  const paths = readSources(join(import.meta.dirname, '../..')).map(({ path }) => path);
  expect(paths).toContain('platform/db/database.ts');
  expect(paths).toContain('scripts/check/check.test.ts');
});
