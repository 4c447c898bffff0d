import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ledgerChecks } from '#features/ledger/reads.ts';
import { projectRoot } from '#platform/project-root.ts';
import { renderPayoutDiagram, renderStateDiagram } from '#tests/support/state-diagram.ts';

const page = readFileSync(join(projectRoot, 'docs/money.md'), 'utf8');

it('docs/money.md shows the current state machine', () => {
  for (const picture of [renderStateDiagram(), renderPayoutDiagram()])
    expect(page).toContain(`\`\`\`mermaid\n${picture}\n\`\`\``);
});

it('docs/money.md lists every ledger check', () => {
  for (const check of ledgerChecks()) expect(page).toContain(`* ${check}\n`);
});
