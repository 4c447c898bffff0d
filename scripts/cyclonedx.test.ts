import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { billOfMaterials } from './cyclonedx.ts';

it('lists every package once, and whether it is shipped', () => {
  const bill = billOfMaterials(
    { name: 'market', version: '1.0.0' },
    {
      '': { version: '1.0.0' },
      'node_modules/@scope/tool': { version: '2.0.0', license: 'MIT', dev: true },
      'node_modules/@scope/tool/node_modules/both': { version: '3.1.0', license: 'MIT OR ISC', dev: true },
      'node_modules/both': { version: '3.1.0', license: 'MIT OR ISC' },
    },
  );
  expect(bill.components).toEqual([
    {
      type: 'library',
      'bom-ref': '@scope/tool@2.0.0',
      name: '@scope/tool',
      version: '2.0.0',
      purl: 'pkg:npm/%40scope/tool@2.0.0',
      scope: 'excluded',
      licenses: [{ license: { id: 'MIT' } }],
    },
    expect.objectContaining({
      'bom-ref': 'both@3.1.0',
      scope: 'required',
      licenses: [{ expression: 'MIT OR ISC' }],
    }),
  ]);
});

it('lists everything that the product names itself as shipped', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(projectRoot, file), 'utf8'));
  const { dependencies } = read('package.json') as { dependencies: Record<string, string> };
  const { packages } = read('package-lock.json');
  const required = billOfMaterials({ name: 'market', version: '1.0.0' }, packages)
    .components.filter(({ scope }) => scope === 'required')
    .map((component) => component['bom-ref']);
  expect(required).toEqual(
    expect.arrayContaining(Object.entries(dependencies).map(([name, version]) => `${name}@${version}`)),
  );
});
