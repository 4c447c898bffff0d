import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { decideProof } from '#features/ownership/commands/decide-proof.ts';
import { eraseOldProofs } from '#features/ownership/commands/erase-old-proofs.ts';
import { uploadProof } from '#features/ownership/commands/upload-proof.ts';
import {
  ownershipOfListing,
  ownOwnership,
  proofList,
  proofSubject,
  waitingProofs,
} from '#features/ownership/reads.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { Ctx } from '#platform/context.ts';
import { createProof, typedProof } from '#tests/support/fixtures/ownership.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { badRows, HEAD, listingOf, userOutcomes } from '../support/own-listings.ts';
import { withoutRateLimits } from '../support/sales.ts';
import { badId, systemOnlyRows } from '../support/table-rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'acre-ownership-cells-'));
const ports = { files: createFolderStore({ folder, secret: 's' }), malware: noScanner };
const withPorts = (ctx: Ctx) => ({ ...withoutRateLimits(ctx), ...ports });

const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;
const missing = ['unknown id', 'no id at all'].map((row) => forAdministrators(row, 'NotFound')).join('\n');

/** A proof that waits, of seller A's listing. */
async function newProof({ scenario }: Cell) {
  await scenario.db.q().deleteFrom('ownership_proofs').execute();
  const propertyId = await scenario.listing('A’s pending');
  const { agentId } = scenario.person('sellerA');
  return { propertyId, proofId: await createProof(scenario.db, { propertyId, agentId }) };
}

/** No one else learns anything of a proof. */
const nothingLearnt = <Found>(found: Found, _: unknown, { outcome }: { outcome: string }) => {
  if (outcome === 'Forbidden' || outcome === 'Unauthenticated') expect(found).toBeUndefined();
};

export const cells: Cells = {
  'reads#ownOwnership': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed   NotFound  NotFound')}
      A’s pending                ${userOutcomes('allowed   NotFound  NotFound')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  NotFound')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  allowed')}
      unknown id                 ${userOutcomes('NotFound  NotFound  NotFound')}
      no id at all               ${userOutcomes('NotFound  NotFound  NotFound')}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => ownOwnership(ctx, { propertyId }),
    mayChange: () => false,
    verify: (found, id) => {
      if (found) expect(found.listing.id).toBe(id);
    },
  }),
  'commands/upload-proof#uploadProof': operation({
    cells: `
      ${HEAD}
      A’s Active                 ${userOutcomes('allowed   NotFound  Forbidden')}
      A’s pending                ${userOutcomes('allowed   NotFound  Forbidden')}
      A’s Sold                   ${userOutcomes('sold      NotFound  Forbidden')}
      A’s deleted                ${userOutcomes('NotFound  NotFound  Forbidden')}
      suspended seller’s Active  ${userOutcomes('NotFound  NotFound  Forbidden')}
      ${badRows}
    `,
    prepare: listingOf,
    act: (ctx, propertyId) => uploadProof(withPorts(ctx), { propertyId, ...typedProof }),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, propertyId, { scenario, outcome, row }) {
      if (!row.includes('’s')) return;
      const proofs = await scenario.db
        .q()
        .selectFrom('ownership_proofs')
        .select('status')
        .where('property_id', '=', propertyId)
        .execute();
      expect(proofs).toEqual(outcome === 'allowed' ? [{ status: 'waiting' }] : []);
    },
  }),
  'reads#waitingProofs': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s proof')}
    `,
    prepare: newProof,
    act: (ctx) => waitingProofs(ctx),
    mayChange: () => false,
    verify: nothingLearnt,
  }),
  'reads#proofList': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s proof', 'shown')}
    `,
    prepare: newProof,
    act: (ctx) => proofList(ctx, { tab: 'waiting', page: 1 }),
    outcomeOf: ({ rows }, { proofId }) => (rows.some(({ id }) => id === proofId) ? 'shown' : 'hidden'),
    mayChange: () => false,
    verify: nothingLearnt,
  }),
  'reads#proofSubject': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s proof')}
      ${missing}
    `,
    prepare: newProof,
    act: (ctx, { proofId }, cell) => proofSubject(ctx, { proofId: badId(cell, proofId) ?? proofId }),
    mayChange: () => false,
    verify: nothingLearnt,
  }),
  'reads#ownershipOfListing': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s proof')}
    `,
    prepare: newProof,
    act: (ctx, { propertyId }) => ownershipOfListing(ctx, { propertyId }),
    mayChange: () => false,
    verify: (found, { proofId }) => {
      if (found) expect(found.proof?.id).toBe(proofId);
    },
  }),
  'commands/decide-proof#decideProof': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('verify')}
      ${forAdministrators('refuse')}
      ${forAdministrators('refuse without a reason', 'invalid')}
      ${forAdministrators('verify something else', 'changed')}
      ${missing}
    `,
    prepare: newProof,
    async act(ctx, { proofId }, cell) {
      const { scenario, row } = cell;
      const { version } = await proofSubject(scenario.ctx('admin'), { proofId });
      return decideProof(ctx, {
        proofId: badId(cell, proofId) ?? proofId,
        decision: row.startsWith('refuse') ? 'refuse' : 'verify',
        version: row === 'verify something else' ? 'another' : version,
        reason: row === 'refuse' ? 'The deed names another parcel.' : '',
      });
    },
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, { proofId }, { scenario, outcome, row }) {
      const { status } = await scenario.db
        .q()
        .selectFrom('ownership_proofs')
        .select('status')
        .where('id', '=', proofId)
        .executeTakeFirstOrThrow();
      const decided = row === 'refuse' ? 'refused' : 'verified';
      expect(status).toBe(outcome === 'allowed' ? decided : 'waiting');
    },
  }),
  'commands/erase-old-proofs#eraseOldProofs': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => eraseOldProofs(withPorts(ctx)),
  }),
};
