import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { createNft } from '#features/nfts/commands/create-nft.ts';
import { nameWallet } from '#features/nfts/commands/name-wallet.ts';
import { completionToken, namedRecipient, nftNetwork, tokenWallet } from '#features/nfts/reads.ts';
import { noNames } from '#gateways/names/open.ts';
import type { NameService } from '#gateways/names/port.ts';
import type { Ctx } from '#platform/context.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { newSale, sharedSale, withoutRateLimits } from '../support/sales.ts';
import { badId, HEAD } from '../support/table-rows.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const names: NameService = { suffix: '.base.eth', resolve: async () => WALLET };
const withNames = (ctx: Ctx) => ({ ...withoutRateLimits(ctx), names });
const forAdministrators = (row: string, outcome = 'allowed') =>
  `${row}  Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden  ${outcome}`;
const withLocalChain = (ctx: Ctx) => ({
  ...ctx,
  config: { ...withoutRateLimits(ctx).config, chain: localChain },
});
const walletRow = (row: string, outcome: string) =>
  `${row}  Unauthenticated  ${outcome}  NotFound  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden`;

/** A document of seller A's listing. */
async function newDocument({ scenario }: Cell) {
  const propertyId = await scenario.listing('A’s Active');
  const name = randomUUID();
  const { id } = await insertDocument(scenario.ctx('admin'), {
    propertyId,
    type: 'Deed',
    uploadedBy: null,
    document: {
      key: `documents/${name}`,
      name: 'Deed.pdf',
      contentType: 'application/pdf',
      bytes: 1,
      sha256: createHash('sha256').update(name).digest('hex'),
      scan: 'clean',
    },
  });
  return { propertyId, documentId: id };
}

export const cells: Cells = {
  'reads#nftNetwork': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('where tokens are made')}
    `,
    act: async (ctx) => nftNetwork({ ...ctx, names: noNames }),
    mayChange: () => false,
  }),
  'reads#namedRecipient': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('a name')}
      ${forAdministrators('an address')}
    `,
    act: (ctx, _, { row }) => namedRecipient(withNames(ctx), row === 'a name' ? 'alice.base.eth' : WALLET),
    mayChange: () => false,
    verify(found, _, { row, outcome }) {
      if (outcome === 'allowed')
        expect(found).toEqual(
          row === 'a name' ? { ok: true, name: 'alice.base.eth', address: WALLET } : null,
        );
    },
  }),
  'reads#completionToken': operation({
    cells: `
      ${HEAD}
      A’s purchase     Unauthenticated  allowed   NotFound  Forbidden  Forbidden  Forbidden  Forbidden
      unknown id       Unauthenticated  NotFound  NotFound  Forbidden  Forbidden  Forbidden  Forbidden
      no id at all     Unauthenticated  NotFound  NotFound  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    async prepare({ scenario }) {
      const { saleId, propertyId } = await sharedSale(scenario, 'released');
      const q = scenario.db.q();
      await q
        .insertInto('completion_nfts')
        .values({
          kind: 'completion',
          property_id: propertyId,
          property_sale_id: saleId,
          recipient_address: '',
          custody: true,
        })
        .execute();
      return { saleId };
    },
    act: (ctx, { saleId }, cell) => completionToken(ctx, badId(cell, saleId) ?? saleId),
    mayChange: () => false,
    verify(found, _, { outcome }) {
      if (outcome === 'allowed') expect(found).toMatchObject({ state: 'making', claimable: true });
    },
  }),
  'reads#tokenWallet': operation({
    cells: `
      ${HEAD}
      in escrow        Unauthenticated  allowed   NotFound  Forbidden  Forbidden  Forbidden  Forbidden
      released         Unauthenticated  none      NotFound  Forbidden  Forbidden  Forbidden  Forbidden
      unknown id       Unauthenticated  NotFound  NotFound  Forbidden  Forbidden  Forbidden  Forbidden
      no id at all     Unauthenticated  NotFound  NotFound  Forbidden  Forbidden  Forbidden  Forbidden
    `,
    prepare: ({ scenario, row }) => sharedSale(scenario, row === 'released' ? row : 'in escrow'),
    act: (ctx, { saleId }, cell) => tokenWallet(withLocalChain(ctx), badId(cell, saleId) ?? saleId),
    outcomeOf: (found) => (found ? 'allowed' : 'none'),
    mayChange: () => false,
  }),
  'commands/name-wallet#nameWallet': operation({
    cells: `
      ${HEAD}  unproven
      ${walletRow('begun', 'allowed')}
      ${walletRow('in escrow', 'allowed')}
      ${walletRow('frozen', 'allowed')}
      ${walletRow('released', 'not_now')}
      ${walletRow('cancelled', 'not_now')}
      ${walletRow('given up', 'not_now')}
      ${walletRow('no address', 'address')}
      ${walletRow('unknown id', 'NotFound')}
      ${walletRow('no id at all', 'NotFound')}
    `,
    prepare: ({ scenario, row }) => newSale(scenario, /^(no|unknown) /.test(row) ? 'in escrow' : row),
    act: (ctx, { saleId }, cell) =>
      nameWallet(withLocalChain(ctx), {
        saleId: badId(cell, saleId) ?? saleId,
        address: cell.row === 'no address' ? '0x1' : WALLET,
      }),
    async verify(_, { saleId }, { scenario, outcome }) {
      const named = await scenario.db
        .q()
        .selectFrom('token_wallets')
        .select(['wallet', 'buyer_id'])
        .where('sale_id', '=', saleId)
        .execute();
      expect(named).toEqual(
        outcome === 'allowed' ? [{ wallet: WALLET, buyer_id: scenario.person('buyerA').id }] : [],
      );
    },
  }),
  'commands/create-nft#createNft': operation({
    cells: `
      ${HEAD}
      ${forAdministrators('A’s document')}
      ${forAdministrators('no address', 'invalid')}
    `,
    prepare: newDocument,
    act: (ctx, target, { row }) =>
      createNft(withoutRateLimits(ctx), { ...target, recipient: row === 'no address' ? '0x1' : WALLET }),
    async verify(_, { documentId }, { scenario, outcome }) {
      const made = await scenario.db
        .q()
        .selectFrom('completion_nfts')
        .select('recipient_address')
        .where('document_id', '=', documentId)
        .execute();
      expect(made).toEqual(outcome === 'allowed' ? [{ recipient_address: WALLET }] : []);
    },
  }),
};
