import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { addTestDocument } from '#features/content/commands/add-test-document.ts';
import { sendInquiry } from '#features/inquiries/commands/send-inquiry.ts';
import { editProperty } from '#features/listing-form/commands/edit-property.ts';
import { propertyForm } from '#features/listing-form/reads.ts';
import { sendFile } from '#features/message-files/commands/send-file.ts';
import { uploadProof } from '#features/ownership/commands/upload-proof.ts';
import { deliverDocuments } from '#features/sales/commands/deliver-documents.ts';
import { createLocalStore } from '#gateways/content/local.ts';
import { createFolderStore } from '#gateways/files/folder.ts';
import type { FileStore } from '#gateways/files/port.ts';
import { zipCodeGeocoder } from '#gateways/geocoder/zip-code-geocoder.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { UserActor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { losingTheCommit } from '#tests/support/database/lost-commit.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { testConfig, testContext } from '#tests/support/fixtures/context.ts';
import { pdfFile } from '#tests/support/fixtures/documents.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createSaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { uploadDocument } from './commands/upload-document.ts';

const LOST = 'The connection was lost after the commit';

await describeOnDatabase('a file whose row was committed, while the answer was lost', (open) => {
  let db: Database;
  let files: FileStore;
  let admin: UserActor;
  let seller: UserActor;
  let propertyId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-lost-commit-'));
  beforeAll(async () => {
    db = await open();
    files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  });
  beforeEach(async () => {
    [admin, seller] = [await createUser(db, 'admin'), await createUser(db, 'agent')];
    propertyId = await createListing(db, seller.agentId);
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true });
  });

  const as = (actor: UserActor) => ({ ...testContext(db, { actor }), files, malware: noScanner });
  const losing = (actor: UserActor) => ({ ...as(actor), ...losingTheCommit(db, files) });
  /** The key of the one file that a table names and that is stored. */
  async function expectStored(table: 'document_registry' | 'message_files', before: readonly string[]) {
    const prefix = table === 'document_registry' ? 'documents/' : 'messages/';
    const { keys } = await files.list(prefix);
    const [added = '', ...others] = keys.filter((key) => !before.includes(key));
    expect(others).toEqual([]);
    const named = await db.q().selectFrom(table).select('file_key').where('file_key', '=', added).execute();
    expect(named).toEqual([{ file_key: added }]);
  }
  const file = { name: 'Deed.pdf', bytes: pdfFile };

  it('stays when an administrator added it to a property', async () => {
    const { keys } = await files.list('documents/');
    const form = { propertyId, type: 'Deed', name: '', visibility: 'private', confirmedPublic: false, file };
    await expect(uploadDocument(losing(admin), form)).rejects.toThrow(LOST);
    await expectStored('document_registry', keys);
  });

  it('stays when it tries the store of public documents', async () => {
    const { keys } = await files.list('documents/');
    const config = { ...testConfig, content: { ...testConfig.content, store: 'local' as const } };
    const content = createLocalStore({ folder: join(folder, 'content'), profile: 'unixfs-v1-2025' });
    await expect(addTestDocument({ ...losing(admin), config, content }, file)).rejects.toThrow(LOST);
    await expectStored('document_registry', keys);
  });

  it('stays when it proves the ownership of a listing', async () => {
    const { keys } = await files.list('documents/');
    const proof = { propertyId, file, ownerName: 'Ada Fenwick', parcelNumber: '02-114-0077', note: '' };
    await expect(uploadProof(losing(seller), proof)).rejects.toThrow(LOST);
    await expectStored('document_registry', keys);
  });

  it('stays when it is the survey of a property', async () => {
    const { keys } = await files.list('documents/');
    const { property } = await propertyForm(as(admin), propertyId);
    await expect(
      editProperty(
        { ...losing(admin), geocoder: zipCodeGeocoder },
        {
          propertyId,
          base: property.form,
          form: property.form,
          reason: '',
          survey: file,
        },
      ),
    ).rejects.toThrow(LOST);
    await expectStored('document_registry', keys);
  });

  it('stays when it was sent in a conversation', async () => {
    const buyer = await createUser(db, 'buyer');
    const sent = await sendInquiry(as(buyer), { propertyId, message: 'May I see the plan?', key: 'k' });
    if (!sent.ok) throw new Error(sent.reason);
    const message = { inquiryId: sent.inquiryId, message: '', file, key: randomUUID() };
    await expect(sendFile(losing(seller), message)).rejects.toThrow(LOST);
    await expectStored('message_files', []);
  });

  it('stays when it delivers the documents of a sale', async () => {
    const sales = await createSaleScenario(db);
    const saleId = await sales.createPaidSale();
    const { keys } = await files.list('documents/');
    const ctx = { ...losing(admin), ...sales.contextFor(sales.seller), ...losingTheCommit(db, files) };
    await expect(deliverDocuments(ctx, { saleId, files: [{ field: 'deed', ...file }] })).rejects.toThrow(
      LOST,
    );
    await expectStored('document_registry', keys);
  });
});
