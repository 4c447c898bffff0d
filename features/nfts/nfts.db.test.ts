import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { insertDocument } from '#features/documents/insert-document.ts';
import { noNames } from '#gateways/names/open.ts';
import { type NameService, NameServiceError } from '#gateways/names/port.ts';
import type { Ctx, UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { TooManyRequests } from '#platform/errors.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { createNft, type NftForm } from './commands/create-nft.ts';
import { namedRecipient, nftNetwork } from './reads.ts';
import { nftMessages } from './rules.ts';

const WALLET = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const OTHER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

await describeOnDatabase('tokens of documents', (open) => {
  let db: Database;
  let admin: UserActor;
  let ctx: Ctx;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  beforeEach(async () => {
    admin = await createUser(db, 'admin');
    ctx = { ...testContext(db, { actor: admin }), config: { ...testConfig, chain: localChain } };
  });
  afterAll(() => db.close());

  async function newDocument(scan: 'clean' | 'held' = 'clean'): Promise<string> {
    const name = randomUUID();
    const { id } = await insertDocument(ctx, {
      propertyId,
      type: 'Deed',
      uploadedBy: admin.id,
      document: {
        key: `documents/${name}`,
        name: 'Deed.pdf',
        contentType: 'application/pdf',
        bytes: 1,
        sha256: createHash('sha256').update(name).digest('hex'),
        scan,
      },
    });
    return id;
  }
  const create = async (change: Partial<NftForm> = {}) =>
    createNft(ctx, {
      propertyId,
      documentId: change.documentId ?? (await newDocument()),
      recipient: WALLET,
      ...change,
    });
  const tokensOf = (documentId: string) =>
    db.q().selectFrom('completion_nfts').selectAll().where('document_id', '=', documentId).execute();

  it('are pending, without number and transaction, with the name and description by default', async () => {
    const documentId = await newDocument();
    const result = await create({ documentId, recipient: WALLET.toLowerCase() });
    expect(result).toMatchObject({ ok: true, created: true, configured: true });
    expect(await tokensOf(documentId)).toMatchObject([
      {
        kind: 'property',
        property_id: propertyId,
        property_sale_id: null,
        status: 'pending',
        base_tx_hash: '',
        network: 'local',
        recipient_address: WALLET,
        metadata: { name: 'Property NFT', description: 'NFT representing property document ownership' },
      },
    ]);
    expect(Number((await tokensOf(documentId))[0]?.token_id)).toBe(0);
  });

  it('have a name and a description of their own when these were typed', async () => {
    const documentId = await newDocument();
    await create({ documentId, name: ' Deed of Larkspur ', description: '' });
    expect(await tokensOf(documentId)).toMatchObject([
      { metadata: { name: 'Deed of Larkspur', description: '' } },
    ]);
    await expect(create({ name: ' ', description: 'x'.repeat(1001) })).resolves.toEqual({
      ok: false,
      errors: { name: nftMessages.nameless, description: nftMessages.descriptionTooLong },
    });
    await expect(create({ name: 'x'.repeat(81) })).resolves.toMatchObject({
      errors: { name: nftMessages.nameless },
    });
  });

  it('are made once, however often and however fast the form is sent', async () => {
    const documentId = await newDocument();
    const results = await Promise.all([
      create({ documentId }),
      create({ documentId }),
      create({ documentId }),
    ]);
    expect(results.map((result) => result.ok && result.created).sort()).toEqual([false, false, true]);
    expect(new Set(results.map((result) => result.ok && result.nftId)).size).toBe(1);
    expect(await tokensOf(documentId)).toHaveLength(1);
    expect(await create({ documentId, recipient: OTHER })).toEqual({
      ok: false,
      errors: { document: nftMessages.exists },
    });
    expect(await tokensOf(documentId)).toHaveLength(1);
    const audited = await db
      .q()
      .selectFrom('audit_log')
      .select('after')
      .where('action', '=', 'token.queue')
      .where('actor_id', '=', admin.id)
      .execute();
    expect(audited).toHaveLength(1);
  });

  it.each([
    ['', nftMessages.noRecipient],
    ['  ', nftMessages.noRecipient],
    ['0x1234', nftMessages.notAnAddress],
    ['alice.base.eth', nftMessages.notAnAddress],
    ['0x0000000000000000000000000000000000000000', nftMessages.notAnAddress],
    // One letter has the wrong case.
    ['0xD8dA6BF26964aF9D7eEd9e03E53415D37aA96045', nftMessages.notAnAddress],
    [`${WALLET}0`, nftMessages.notAnAddress],
  ])('are not made for %j', async (recipient, text) => {
    const documentId = await newDocument();
    expect(await create({ documentId, recipient })).toEqual({ ok: false, errors: { recipient: text } });
    expect(await tokensOf(documentId)).toEqual([]);
  });

  it('are not made for a contract of ours, on whichever network', async () => {
    await db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: 'deploy',
        network: 'base-sepolia',
        state: 'final',
        sender: WALLET,
        contract: OTHER.toLowerCase(),
        nonce: 0,
        hash: `0x${'ab'.repeat(32)}`,
      })
      .execute();
    const documentId = await newDocument();
    expect(await create({ documentId, recipient: OTHER })).toEqual({
      ok: false,
      errors: { recipient: nftMessages.notAnAddress },
    });
    await db.q().deleteFrom('chain_transactions').where('kind', '=', 'deploy').execute();
  });

  it('need a document of the property that is there, with its file, no test, and checked', async () => {
    const errors = async (change: Partial<NftForm>) => {
      const result = await create(change);
      return result.ok ? null : result.errors;
    };
    expect(await errors({ documentId: '', recipient: '' })).toEqual({
      document: nftMessages.noDocument,
      recipient: nftMessages.noRecipient,
    });
    expect(await errors({ documentId: randomUUID() })).toEqual({ document: nftMessages.gone });
    expect(await errors({ propertyId: randomUUID() })).toEqual({ document: nftMessages.gone });
    expect(await errors({ propertyId: 'x' })).toEqual({ document: nftMessages.gone });
    expect(await errors({ documentId: await newDocument('held') })).toEqual({ document: nftMessages.held });
    const test = await newDocument();
    await db.q().updateTable('document_registry').set({ is_test: true }).where('id', '=', test).execute();
    expect(await errors({ documentId: test })).toEqual({ document: nftMessages.test });
    const erased = await newDocument();
    await db
      .q()
      .updateTable('document_registry')
      .set({ erased_at: ctx.now() })
      .where('id', '=', erased)
      .execute();
    expect(await errors({ documentId: erased })).toEqual({ document: nftMessages.erased });
    expect(await tokensOf(erased)).toEqual([]);
  });

  it('wait without a chain, and say so', async () => {
    const documentId = await newDocument();
    ctx = testContext(db, { actor: admin });
    expect(await create({ documentId })).toMatchObject({ ok: true, configured: false });
    expect(await tokensOf(documentId)).toMatchObject([
      { network: null, status: 'pending', failure_reason: 'Chain not configured' },
    ]);
    expect(nftNetwork({ ...ctx, names: noNames })).toEqual({ network: null, nameSuffix: null });
  });

  it('are for someone who is named, once the address was looked up', async () => {
    const asked: string[] = [];
    const names: NameService = {
      suffix: '.base.eth',
      async resolve(name) {
        asked.push(name);
        if (name === 'down.base.eth') throw new NameServiceError('down');
        return name === 'alice.base.eth' ? WALLET : null;
      },
    };
    const named = (typed: string, service = names) => namedRecipient({ ...ctx, names: service }, typed);
    expect(await named(' alice.base.eth ')).toEqual({ ok: true, name: 'alice.base.eth', address: WALLET });
    expect(await named('mallory.base.eth')).toEqual({
      ok: false,
      text: 'No wallet has this name. Names end with .base.eth.',
    });
    expect(await named('down.base.eth')).toEqual({ ok: false, text: nftMessages.nameService });
    expect(await named(WALLET)).toBeNull();
    expect(await named('')).toBeNull();
    expect(asked).toHaveLength(3);
    // Without names a name is no address.
    expect(await named('alice.base.eth', noNames)).toBeNull();
    // The service is asked at most thirty times a minute for an administrator.
    for (let at = 3; at < 30; at += 1) await named('alice.base.eth');
    await expect(named('alice.base.eth')).rejects.toThrow(TooManyRequests);
    expect(asked).toHaveLength(30);
    expect(nftNetwork({ ...ctx, names })).toEqual({ network: 'Local chain', nameSuffix: '.base.eth' });
  });
});
