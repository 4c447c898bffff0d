import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { verifyDocument } from '#features/verification/reads.ts';
import { noChain } from '#gateways/chain/off.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { sameForAll } from '../support/table-rows.ts';

const ADDRESS = '23 Unmistakable Row';

/** A private receipt of seller A's listing. */
async function newReceipt({ scenario }: Cell) {
  const propertyId = await scenario.listing('A’s Active', { address: ADDRESS });
  const sha256 = createHash('sha256').update(propertyId).digest('hex');
  const number = `CELL-${propertyId.toUpperCase()}`;
  await insertDocument(scenario.ctx('admin'), {
    propertyId,
    type: 'Receipt',
    number,
    uploadedBy: null,
    document: {
      key: `documents/${propertyId}`,
      name: 'Confidential.pdf',
      contentType: 'application/pdf',
      bytes: 1,
      sha256,
      scan: 'clean',
    },
  });
  return { sha256, number };
}

export const cells: Cells = {
  // Whoever has a document may check it; no one is shown what it says.
  'reads#verifyDocument': operation({
    cells: sameForAll(['its file', 'found'], ['its number', 'found'], ['another file', 'unknown']),
    prepare: newReceipt,
    act: (ctx, { sha256, number }, { row }) =>
      verifyDocument(
        { ...withoutRateLimits(ctx), chain: noChain() },
        row === 'its number'
          ? { by: 'number', number }
          : { by: 'file', sha256: row === 'its file' ? sha256 : '0'.repeat(64) },
      ),
    outcomeOf: ({ documents }) => (documents.length === 1 ? 'found' : 'unknown'),
    mayChange: () => false,
    verify: (answer, _, { row }) => {
      const said = JSON.stringify(answer);
      for (const secret of [ADDRESS, 'Confidential']) expect(said).not.toContain(secret);
      expect(answer?.documents[0]?.salt == null).toBe(row !== 'its file');
    },
  }),
};
