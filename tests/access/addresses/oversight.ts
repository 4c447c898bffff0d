import { adminPaths } from '#routing/admin-paths.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { createConversation } from '../support/conversations.ts';
import { badId } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const QUESTION = 'Is the unmistakable attic dry?';
const ANSWER = 'Very.';
const REASON = 'An unmistakable insult.';

/** The page with the messages of a new conversation, or of one that is not there. */
async function openPath({ app, row }: AddressCell): Promise<string> {
  const { inquiryId } = await createConversation(app.scenario, { values: { message: QUESTION } });
  return adminPaths.inquiries({ messages: badId({ row: row.replace(/^GET /, '') }, inquiryId) ?? inquiryId });
}

/** An open report; its id. */
async function newReport({ app }: AddressCell): Promise<string> {
  const { inquiryId, buyerId } = await createConversation(app.scenario);
  const { id } = await app.db
    .q()
    .insertInto('inquiry_reports')
    .values({ inquiry_id: inquiryId, reported_by: buyerId, reason: REASON })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export const addresses: Addresses = {
  '/admin/inquiries': {
    cells: `
      ${columns}
      GET               302 login  403  403  403  403  403  200
      GET .data         202 login  403  403  403  403  403  200
      GET messages      302 login  403  403  403  403  403  200
      GET unknown id    302 login  403  403  403  403  403  404
      GET no id at all  302 login  403  403  403  403  403  404
      GET reported      302 login  403  403  403  403  403  200
      POST              302 login  403  403  403  403  403  400
      POST warned       302 login  403  403  403  403  403  303 here
      POST no words     302 login  403  403  403  403  403  422
    `,
    to: { login: '/admin?next=%2Fadmin%2Finquiries*', here: '/admin/inquiries' },
    secret: ({ row }) => {
      if (row === 'GET messages') return ANSWER;
      if (row === 'GET reported') return REASON;
      return row === 'GET' ? '>Property Inquiries</h1>' : '';
    },
    async request(cell) {
      const { row } = cell;
      if (row === 'POST') return sameOriginForm({});
      if (row === 'GET' || row === 'GET .data') return {};
      if (row === 'GET reported' || row.startsWith('POST')) {
        const id = await newReport(cell);
        if (row === 'GET reported') return { path: adminPaths.inquiries({ tab: 'reported' }) };
        return sameOriginForm({ intent: 'warned', id, note: row === 'POST warned' ? 'Be kind.' : '' });
      }
      return { path: await openPath(cell) };
    },
  },

  '/admin/buyers': {
    cells: `
      ${columns}
      GET             302 login  403  403  403  403  403  200
      GET .data       202 login  403  403  403  403  403  200
      GET details     302 login  403  403  403  403  403  200
      GET unknown id  302 login  403  403  403  403  403  200
      POST suspend    302 login  403  403  403  403  403  303 here
      POST reinstate  302 login  403  403  403  403  403  303 here
      POST no reason  302 login  403  403  403  403  403  422
      POST export     302 login  403  403  403  403  403  303 here
      POST erase      302 login  403  403  403  403  403  303 list
      POST nothing    302 login  403  403  403  403  403  400
    `,
    to: {
      login: '/admin?next=%2Fadmin%2Fbuyers*',
      here: '/admin/buyers?details=*',
      list: '/admin/buyers',
    },
    secret: ({ row }) =>
      row === 'GET' || row === 'GET unknown id'
        ? '>Buyers</h1>'
        : row === 'GET details'
          ? 'Open sessions'
          : '',
    async request({ app, row }) {
      const { id, email } = row.startsWith('POST')
        ? await createUser(app.db, 'buyer')
        : app.scenario.cast.buyerA;
      if (row.startsWith('POST')) {
        const [, intent = ''] = row.split(' ');
        return sameOriginForm({
          intent: intent === 'no' ? 'suspend' : intent,
          id,
          user: id,
          confirmation: email,
          reason: intent === 'no' ? '' : 'Spam',
        });
      }
      const details = row === 'GET details' ? id : badId({ row: row.replace(/^GET /, '') }, id);
      return details ? { path: adminPaths.buyers({ details }) } : {};
    },
  },

  '/notices': {
    cells: `
      ${columns}
      GET             302 home  302 home  302 home  302 home  302 home  302 home  302 home
      POST A’s        401       303 own   404       404       404       404       404
      POST unknown    401       404       404       404       404       404       404
      POST nothing    400       400       400       400       400       400       400
    `,
    to: { home: '/', own: '/buyer/transactions' },
    async request({ app, row }) {
      if (row === 'GET') return {};
      if (row === 'POST nothing') return sameOriginForm({});
      const { id } = await app.db
        .q()
        .insertInto('user_notices')
        .values({ user_id: app.scenario.cast.buyerA.id, message: 'Be kind.' })
        .returning('id')
        .executeTakeFirstOrThrow();
      return sameOriginForm({ intent: 'confirm', id: row === 'POST unknown' ? crypto.randomUUID() : id });
    },
  },
};
