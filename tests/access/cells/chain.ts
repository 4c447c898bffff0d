import { expect } from 'vitest';
import { claimToken } from '#features/chain/commands/claim-token.ts';
import { manageContract } from '#features/chain/commands/manage-contract.ts';
import { retryChain } from '#features/chain/commands/retry-chain.ts';
import { workChain } from '#features/chain/commands/work-chain.ts';
import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { queueMint } from '#features/chain/queue-mint.ts';
import { contractStatus, findAnchors } from '#features/chain/reads.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { noChain } from '#gateways/chain/off.ts';
import type { Chain } from '#gateways/chain/port.ts';
import type { Ctx } from '#platform/context.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { sharedSale, withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD, sameForAll, systemOnlyRows } from '../support/table-rows.ts';

const forAdministrators = (row: string, outcome = 'allowed', ...more: string[]) =>
  [row, 'Unauthenticated', ...Array(5).fill('Forbidden'), outcome, ...more].join('  ');
const forBuyerA = (row: string, outcome: string, others: string, unproven: string) =>
  [
    row,
    'Unauthenticated',
    outcome,
    others,
    'Forbidden',
    'Forbidden',
    'Forbidden',
    'Forbidden',
    unproven,
  ].join('  ');

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const sha256 = 'c'.repeat(64);
/** A chain that is configured, but not asked. */
const configured: Chain = { ...noChain(), missing: null, network: 'local', chainId: 31_337, mayManage: true };
const withChain = (ctx: Ctx, chain: Chain = configured) => ({
  ...withoutRateLimits(ctx),
  config: { ...ctx.config, chain: localChain },
  chain,
});
const admin = ({ scenario }: Pick<Cell, 'scenario'>) => withChain(scenario.ctx('admin'));

/** A document of a sale between seller A and buyer A. */
async function newDocument(cell: Cell) {
  const { saleId, propertyId } = await sharedSale(cell.scenario, 'released');
  const { id } = await insertDocument(admin(cell), {
    propertyId,
    saleId,
    type: 'Deed',
    uploadedBy: null,
    document: { key: 'k', name: 'deed.pdf', contentType: 'application/pdf', bytes: 1, sha256, scan: 'clean' },
  });
  return { documentId: id, saleId };
}
async function newToken(cell: Cell) {
  const { documentId, saleId } = await newDocument(cell);
  return queueMint(admin(cell), { documentId, kind: 'completion', recipient: null, saleId });
}

export const cells: Cells = {
  'reads#contractStatus': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('the chain')}
    `,
    act: (ctx) => contractStatus(withChain(ctx, noChain())),
    mayChange: () => false,
    verify: (status) => {
      if (status) expect(status.missing).toBe('Chain not configured');
    },
  }),
  'reads#findAnchors': operation({
    cells: sameForAll(['a private document', 'allowed'], ['an unknown number', 'allowed']),
    async prepare(cell) {
      const { documentId } = await newDocument(cell);
      await queueAnchor(admin(cell), documentId);
    },
    act: (ctx, _, { row }) =>
      findAnchors(withChain(ctx, noChain()), row === 'a private document' ? { sha256 } : { number: 'none' }),
    mayChange: () => false,
    verify: (found, _, { row }) => {
      expect(found?.length === 0).toBe(row !== 'a private document');
      expect(JSON.stringify(found)).not.toContain('deed.pdf');
    },
  }),
  'commands/retry-chain#retryChain': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s token')}
      ${forAdministrators('unknown id', 'NotFound')}
      ${forAdministrators('no id at all', 'NotFound')}
    `,
    prepare: newToken,
    act: (ctx, { nftId }, cell) => retryChain(withChain(ctx), { nftId: badId(cell, nftId) ?? nftId }),
  }),
  'commands/claim-token#claimToken': operation({
    cells: `
      ${HEAD}  unproven
      ${forBuyerA('A’s token', 'allowed', 'NotFound', 'Forbidden')}
      ${forBuyerA('no address', 'address', 'NotFound', 'Forbidden')}
      ${forBuyerA('unknown id', 'NotFound', 'NotFound', 'Forbidden')}
    `,
    prepare: newToken,
    act: (ctx, { nftId }, cell) =>
      claimToken(withChain(ctx), {
        nftId: badId(cell, nftId) ?? nftId,
        address: cell.row === 'no address' ? '0x1' : WALLET,
      }),
  }),
  'commands/manage-contract#manageContract': operation({
    cells: `
      ${HEAD}  unproven
      ${forAdministrators('to deploy', 'allowed', 'ProofRequired')}
      ${forAdministrators('to pause none', 'no_contract', 'ProofRequired')}
      ${forAdministrators('on a main network', 'read_only', 'ProofRequired')}
    `,
    act: (ctx, _, { row }) =>
      manageContract(
        withChain(ctx, { ...configured, network: row, mayManage: row !== 'on a main network' }),
        {
          action: row === 'to pause none' ? 'pause' : 'deploy',
        },
      ),
  }),
  'commands/work-chain#workChain': operation({
    cells: systemOnlyRows('by hand'),
    act: (ctx) => workChain(withChain(ctx)),
  }),
};
