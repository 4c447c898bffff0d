import { createHash, randomUUID } from 'node:crypto';
import { RouterContextProvider } from 'react-router';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RequestScope, requestScope } from '#app/request.ts';
import { insertDocument } from '#features/documents/insert-document.ts';
import { CREATE_NFT } from '#features/nfts/components/create-nft-form.tsx';
import type { NameService } from '#gateways/names/port.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { localChain } from '#tests/support/fixtures/chain.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { handleNftForm } from './nft-actions.ts';

const ALICE = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** Knows alice alone. */
const names: NameService = {
  suffix: '.base.eth',
  resolve: async (name) => (name === 'alice.base.eth' ? ALICE : null),
};

await describeOnDatabase('the form that makes a token', (open) => {
  let db: Database;
  let admin: UserActor;
  let propertyId: string;
  beforeAll(async () => {
    db = await open();
    admin = await createUser(db, 'admin');
    propertyId = await createListing(db, (await createUser(db, 'agent')).agentId);
  });
  afterAll(() => db.close());

  const ctx = () => ({
    ...testContext(db, { actor: admin, config: { ...testConfig, chain: localChain } }),
    names,
  });
  async function newDocument(): Promise<string> {
    const name = randomUUID();
    const { id } = await insertDocument(ctx(), {
      propertyId,
      type: 'Deed',
      uploadedBy: admin.id,
      document: {
        key: `documents/${name}`,
        name: 'Deed.pdf',
        contentType: 'application/pdf',
        bytes: 1,
        sha256: createHash('sha256').update(name).digest('hex'),
        scan: 'clean',
      },
    });
    return id;
  }
  const send = (document: string, recipient: string) => post({ property: propertyId, document, recipient });
  async function post(fields: Record<string, string>) {
    const context = new RouterContextProvider();
    context.set(requestScope, { ctx: ctx(), sessionId: null } as unknown as RequestScope);
    const body = new URLSearchParams({ intent: CREATE_NFT, ...fields });
    const request = new Request('http://localhost/admin/documents', { method: 'POST', body });
    return handleNftForm({ request, context });
  }
  const tokensOf = (documentId: string) =>
    db
      .q()
      .selectFrom('completion_nfts')
      .select('recipient_address')
      .where('document_id', '=', documentId)
      .execute();

  it('shows the address of someone who is named first and makes nothing, then one token for the address that was seen', async () => {
    const documentId = await newDocument();
    for (const typed of ['alice.base.eth', ' alice.base.eth '])
      expect(await send(documentId, typed)).toMatchObject({
        data: { ok: false, resolved: { name: 'alice.base.eth', address: ALICE } },
        init: { status: 200 },
      });
    expect(await tokensOf(documentId)).toEqual([]);
    const made = await send(documentId, ALICE);
    expect(made).toBeInstanceOf(Response);
    expect((made as Response).status).toBe(303);
    expect(await tokensOf(documentId)).toEqual([{ recipient_address: ALICE }]);
  });

  it('makes nothing for a name that no one has', async () => {
    const documentId = await newDocument();
    expect(await send(documentId, 'mallory.base.eth')).toMatchObject({
      data: { ok: false, errors: { recipient: expect.stringContaining('No wallet has this name') } },
      init: { status: 422 },
    });
    expect(await tokensOf(documentId)).toEqual([]);
  });

  it('takes the row that programs sent before, with the id of the property as that of its sale', async () => {
    const documentId = await newDocument();
    const metadata = { name: 'Deed of Acre', description: 'As sent before', document_id: documentId };
    const row = {
      property_sale_id: propertyId,
      token_id: '0',
      base_tx_hash: '',
      recipient_address: ALICE,
      status: 'pending',
      metadata: JSON.stringify(metadata),
    };
    expect(((await post(row)) as Response).status).toBe(303);
    const { document_id: _, ...words } = metadata;
    expect(
      await db
        .q()
        .selectFrom('completion_nfts')
        .select(['property_id', 'property_sale_id', 'recipient_address', 'status', 'metadata'])
        .where('document_id', '=', documentId)
        .execute(),
    ).toEqual([
      {
        property_id: propertyId,
        property_sale_id: null,
        recipient_address: ALICE,
        status: 'pending',
        metadata: words,
      },
    ]);
    for (const broken of ['', '{', 'null', '7', '{"document_id":7}'])
      expect(await post({ ...row, metadata: broken })).toMatchObject({
        data: { ok: false, errors: { document: 'Please select a document first' } },
        init: { status: 422 },
      });
  });
});
