import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#platform/project-root.ts';
import { renderListingDiagram, renderListingTable } from '#tests/support/listing-diagram.ts';

const page = readFileSync(join(projectRoot, 'docs/listings.md'), 'utf8');

it('docs/listings.md shows the current life cycle', () => {
  expect(page).toContain(`\`\`\`mermaid\n${renderListingDiagram()}\n\`\`\``);
  expect(page).toContain(renderListingTable());
});
