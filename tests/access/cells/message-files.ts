import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { openMessageFile } from '#features/message-files/commands/open-message-file.ts';
import { sendFile } from '#features/message-files/commands/send-file.ts';
import { mayUploadTo } from '#features/message-files/reads.ts';
import { noScanner } from '#gateways/malware/open.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Ctx } from '#platform/context.ts';
import { conversationForRow } from '../support/conversations.ts';
import { createMessageFile, PDF_FILE } from '../support/message-files.ts';
import { type Cells, operation } from '../support/operation.ts';
import { badId, badIdRows, HEAD } from '../support/table-rows.ts';

/** With stores that remember nothing: what is permitted is decided before they are asked. */
const withStores = (ctx: Ctx): CtxWith<'files' | 'malware'> => ({
  ...ctx,
  config: { ...ctx.config, relaxedLimits: true },
  malware: { ...noScanner, scan: async () => ({ verdict: 'clean' }) },
  files: {
    put: async () => ({ etag: '' }),
    head: async () => null,
    get: async () => null,
    delete: async () => undefined,
    list: async () => ({ keys: [] }),
    readUrl: async (key) => `https://files.test/${key}`,
    check: async () => undefined,
  },
});

export const cells: Cells = {
  'reads#mayUploadTo': operation({
    cells: `
      ${HEAD}
      A with A              Unauthenticated  true   false  true   false  false  false
      B with the suspended  Unauthenticated  false  true   false  false  true   false
      unknown id            Unauthenticated  false  false  false  false  false  false
      no id at all          Unauthenticated  false  false  false  false  false  false
    `,
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) => mayUploadTo(ctx, inquiryId),
    outcomeOf: String,
    mayChange: () => false,
  }),
  // As with words, neither a blocked person nor one side of a suspended seller's conversation can send.
  'commands/send-file#sendFile': operation({
    cells: `
      ${HEAD}
      A with A                 Unauthenticated  allowed   NotFound  allowed   NotFound  NotFound  NotFound
      A with A, buyer blocked  Unauthenticated  refused   NotFound  refused   NotFound  NotFound  NotFound
      A with A, withdrawn      Unauthenticated  refused   NotFound  refused   NotFound  NotFound  NotFound
      B with the suspended     Unauthenticated  NotFound  refused   NotFound  NotFound  refused   NotFound
      ${badIdRows()}
    `,
    prepare: conversationForRow,
    act: (ctx, { inquiryId }) =>
      sendFile(withStores(ctx), {
        inquiryId,
        message: '',
        file: { name: 'Plan.pdf', bytes: PDF_FILE },
        key: randomUUID(),
      }),
    outcomeOf: ({ ok }) => (ok ? 'allowed' : 'refused'),
    mayChange: (outcome) => outcome === 'allowed',
    async verify(_, { inquiryId }, { scenario, outcome, row }) {
      if (row.includes(' id')) return;
      const files = await scenario.db
        .q()
        .selectFrom('message_files as f')
        .innerJoin('inquiry_messages as m', 'm.id', 'f.message_id')
        .select(['f.name', 'm.message'])
        .where('m.inquiry_id', '=', inquiryId)
        .execute();
      expect(files).toEqual(outcome === 'allowed' ? [{ name: 'Plan.pdf', message: 'Plan.pdf' }] : []);
    },
  }),
  // Its two parties; administrators once it was reported, which is recorded.
  'commands/open-message-file#openMessageFile': operation({
    cells: `
      ${HEAD}
      A with A                        Unauthenticated  opened    NotFound  opened    NotFound  NotFound  NotFound
      A with A, reported              Unauthenticated  opened    NotFound  opened    NotFound  NotFound  recorded
      B with the suspended            Unauthenticated  NotFound  opened    NotFound  NotFound  opened    NotFound
      ${badIdRows()}
    `,
    async prepare({ scenario, row }) {
      const conversation = await conversationForRow({ scenario, row: row.replace(', reported', '') });
      const real = row.includes(' id')
        ? (await conversationForRow({ scenario, row: 'A with A' })).inquiryId
        : null;
      const fileId = await createMessageFile(scenario.db, real ?? conversation.inquiryId);
      if (row.endsWith('reported'))
        await scenario.db
          .q()
          .insertInto('inquiry_reports')
          .values({ inquiry_id: conversation.inquiryId, reported_by: conversation.buyerId, reason: 'Rude' })
          .execute();
      return badId({ row }, fileId) ?? fileId;
    },
    act: (ctx, fileId) => openMessageFile(withStores(ctx), { fileId }),
    outcomeOf: (_, __, { actor }) => (actor === 'admin' ? 'recorded' : 'opened'),
    mayChange: (outcome) => outcome === 'recorded',
  }),
};
