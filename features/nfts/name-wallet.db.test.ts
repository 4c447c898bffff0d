import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeClosingDocuments } from '#features/closing/commands/make-closing-documents.ts';
import { releaseEscrow } from '#features/payments/commands/release-escrow.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import { ProofRequired } from '#platform/auth/fresh-proof.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { holdStatement, untilItWaits } from '#tests/support/database/held-statement.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { nameWallet } from './commands/name-wallet.ts';
import { tokenWallet } from './reads.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const CONTRACT = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

await describeOnDatabase('the wallet that a buyer names before the closing', (open, kind) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-wallet-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  beforeAll(async () => {
    db = await open();
  });
  beforeEach(async () => {
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const as = (actor: UserActor = scenario.buyer) => {
    const ctx = scenario.contextFor(actor);
    return {
      ...ctx,
      actor: { ...actor, provedAt: ctx.now() },
      config: { ...ctx.config, chain: localChain },
    };
  };
  const name = (address: string, ctx = as()) => nameWallet(ctx, { saleId, address });
  const read = async () => (await tokenWallet(as(), saleId))?.wallet;
  const close = (database = db) =>
    releaseEscrow(
      { ...scenario.contextFor(scenario.buyer), db: database },
      { saleId, event: 'confirm_closing' },
    );
  /** The token that the closing has asked for. */
  async function token() {
    await makeClosingDocuments({ ...scenario.system, files }, { saleId });
    return db
      .q()
      .selectFrom('completion_nfts')
      .select(['recipient_address as recipient', 'custody'])
      .where('property_sale_id', '=', saleId)
      .executeTakeFirstOrThrow();
  }
  const remember = (wallet: string) =>
    db
      .q()
      .updateTable('profiles')
      .set({ wallet_address: wallet })
      .where('id', '=', scenario.buyer.id)
      .execute();
  const audited = () =>
    db
      .q()
      .selectFrom('audit_log')
      .select(['actor_id', 'before', 'after'])
      .where('action', '=', 'token.name_wallet')
      .where('entity', '=', 'property_sale')
      .where('entity_id', '=', saleId)
      .orderBy('id')
      .execute();

  it('gets the token that the closing asks for, and not those of other purchases', async () => {
    expect(await tokenWallet(as(), saleId)).toEqual({ network: 'Local chain', wallet: null });
    expect(await name(` ${WALLET.toLowerCase()} `)).toEqual({ ok: true });
    expect(await read()).toBe(WALLET);
    expect(await close()).toEqual({ ok: true });
    expect(await tokenWallet(as(), saleId)).toBeNull();
    expect(await token()).toEqual({ recipient: WALLET, custody: false });
    saleId = await scenario.createPaidSale();
    expect(await read()).toBeNull();
    await close();
    expect(await token()).toEqual({ recipient: '', custody: true });
  });

  it('can be changed and removed until then, each change with one audit row', async () => {
    for (const address of [WALLET, WALLET, OTHER, ' ', ''])
      expect(await name(address), address).toEqual({ ok: true });
    expect(await read()).toBeNull();
    const actor_id = scenario.buyer.id;
    expect(await audited()).toEqual([
      { actor_id, before: { recipient: null }, after: { recipient: WALLET } },
      { actor_id, before: { recipient: WALLET }, after: { recipient: OTHER } },
      { actor_id, before: { recipient: OTHER }, after: { recipient: 'custody' } },
    ]);
    await close();
    expect(await token()).toEqual({ recipient: '', custody: true });
  });

  it('is the one that took an earlier token, unless the buyer says otherwise', async () => {
    await remember(OTHER);
    expect(await read()).toBe(OTHER);
    expect(await name('')).toEqual({ ok: true });
    expect(await read()).toBeNull();
    await close();
    expect(await token()).toEqual({ recipient: '', custody: true });
    saleId = await scenario.createPaidSale();
    await close();
    expect(await token()).toEqual({ recipient: OTHER, custody: false });
  });

  it('is no mistyped or malformed address, no one’s, and no contract of ours', async () => {
    await db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: 'deploy',
        network: 'base-sepolia',
        state: 'final',
        sender: WALLET,
        contract: CONTRACT.toLowerCase(),
        nonce: 0,
        hash: `0x${'ab'.repeat(32)}`,
      })
      .execute();
    await name(WALLET);
    const refused = [WALLET.replace('d8dA', 'D8dA'), `0x${'0'.repeat(40)}`, CONTRACT, '0x1', 'alice.eth'];
    for (const address of refused)
      expect(await name(address), address).toEqual({ ok: false, reason: 'address' });
    expect(await read()).toBe(WALLET);
  });

  it('is named by nobody who has not proved lately who they are', async () => {
    const { actor } = as();
    await expect(name(WALLET, { ...as(), actor: { ...actor, provedAt: new Date(0) } })).rejects.toThrow(
      ProofRequired,
    );
    expect(await audited()).toEqual([]);
  });

  it('is asked for only where a chain is configured', async () => {
    const ctx = as();
    expect(
      await tokenWallet({ ...ctx, config: { ...ctx.config, chain: undefined as never } }, saleId),
    ).toBeNull();
  });

  it('can be named as soon as the purchase has begun, and no longer when it has ended', async () => {
    ({ saleId } = await scenario.checkout(scenario.buyer, await scenario.createListing()));
    expect(await name(WALLET)).toEqual({ ok: true });
    saleId = await scenario.createPaidSale();
    await scenario.act(scenario.buyer, saleId, 'request_cancellation');
    await scenario.act(scenario.seller, saleId, 'agree_cancellation');
    expect(await name(WALLET)).toEqual({ ok: false, reason: 'not_now' });
    expect(await tokenWallet(as(), saleId)).toBeNull();
    expect(await audited()).toEqual([]);
  });

  describe.skipIf(kind === 'embedded')('while the sale closes', () => {
    it('is refused when the closing came first', async () => {
      const closing = holdStatement(db, /insert into "closing_documents"/);
      const closed = close(closing.db);
      await closing.reached;
      const named = name(WALLET);
      await untilItWaits(db, named);
      closing.letGo();
      expect(await closed).toEqual({ ok: true });
      expect(await named).toEqual({ ok: false, reason: 'not_now' });
      expect(await token()).toEqual({ recipient: '', custody: true });
    });

    it('gets the token when it came first', async () => {
      const naming = holdStatement(db, /insert into "token_wallets"/);
      const named = name(WALLET, { ...as(), db: naming.db });
      await naming.reached;
      const closed = close();
      await untilItWaits(db, closed);
      naming.letGo();
      expect(await named).toEqual({ ok: true });
      expect(await closed).toEqual({ ok: true });
      expect(await token()).toEqual({ recipient: WALLET, custody: false });
    });
  });
});
