import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ledgerChecks } from '#features/ledger/reads.ts';
import { projectRoot } from '#platform/project-root.ts';
import { machinePicture } from '#tests/support/machine-picture.ts';

const page = readFileSync(join(projectRoot, 'docs/money.md'), 'utf8');

it('docs/money.md shows the machine as it is', () => {
  expect(page).toContain(`\`\`\`mermaid\n${machinePicture()}\n\`\`\``);
});

it('docs/money.md lists every check of the books', () => {
  for (const check of ledgerChecks()) expect(page).toContain(`* ${check}\n`);
});
