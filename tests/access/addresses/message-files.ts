import { randomUUID } from 'node:crypto';
import { messageFilePaths } from '#routing/message-file-paths.ts';
import type { Addresses } from '../support/address.ts';
import { createConversation } from '../support/conversations.ts';
import { createMessageFile } from '../support/message-files.ts';
import { badId, HEAD } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

export const addresses: Addresses = {
  '/inquiries/:id/file': {
    cells: `
      ${HEAD}
      GET A with A               302 login  200  404  200  404  404  404
      GET .data A with A         202 login  200  404  200  404  404  404
      GET B with the suspended   302 login  404  200  404  404  200  404
      GET unknown id             302 login  404  404  404  404  404  404
      POST A with A              302 login  422  404  422  404  404  404
      POST B with the suspended  302 login  404  422  404  404  422  404
    `,
    to: { login: '/buyer/login?next=%2Finquiries%2F*' },
    secret: ({ row }) => (row.startsWith('GET .data') ? 'sendingKey' : '>Send a photo or PDF</h1>'),
    async request({ app, row }) {
      await app.db.q().deleteFrom('user_blocks').execute();
      const { inquiryId } = await createConversation(app.scenario, { others: row.includes('B with') });
      const id = badId({ row: row.replace('GET ', '') }, inquiryId) ?? inquiryId;
      const path = `${messageFilePaths.send(id)}${row.includes('.data') ? '.data' : ''}`;
      return row.startsWith('GET')
        ? { path }
        : { path, ...sameOriginForm({ message: '', key: randomUUID() }) };
    },
  },
  '/message-files/:id': {
    cells: `
      ${HEAD}
      GET A with A              401  303 link  404       303 link  404  404       404
      GET B with the suspended  401  404       303 link  404       404  303 link  404
      GET unknown id            401  404       404       404       404  404       404
    `,
    to: { link: '/files/messages/*' },
    async request({ app, row }) {
      const { inquiryId } = await createConversation(app.scenario, { others: row.includes('B with') });
      const id = await createMessageFile(app.db, inquiryId);
      return { path: messageFilePaths.file(badId({ row: row.replace('GET ', '') }, id) ?? id) };
    },
  },
};
