import { adminPaths } from '#routing/admin-paths.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { createConversation } from '../support/conversations.ts';
import { badId } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const QUESTION = 'Is the unmistakable attic dry?';
const ANSWER = 'Very.';

/** The page with the messages of a new conversation, or of one that is not there. */
async function openPath({ app, row }: AddressCell): Promise<string> {
  const { inquiryId } = await createConversation(app.scenario, { values: { message: QUESTION } });
  return adminPaths.inquiries({ messages: badId({ row: row.replace(/^GET /, '') }, inquiryId) ?? inquiryId });
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
      POST              302 login  403  403  403  403  403  405
    `,
    to: { login: '/admin?next=%2Fadmin%2Finquiries*' },
    secret: ({ row }) => (row === 'GET' ? '>Property Inquiries</h1>' : row === 'GET messages' ? ANSWER : ''),
    async request(cell) {
      if (cell.row === 'POST') return sameOriginForm({});
      return cell.row === 'GET' || cell.row === 'GET .data' ? {} : { path: await openPath(cell) };
    },
  },

  '/admin/buyers': {
    cells: `
      ${columns}
      GET             302 login  403  403  403  403  403  200
      GET .data       202 login  403  403  403  403  403  200
      GET details     302 login  403  403  403  403  403  200
      GET unknown id  302 login  403  403  403  403  403  404
      POST suspend    302 login  403  403  403  403  403  303 here
      POST reinstate  302 login  403  403  403  403  403  303 here
      POST no reason  302 login  403  403  403  403  403  422
      POST nothing    302 login  403  403  403  403  403  400
    `,
    to: { login: '/admin?next=%2Fadmin%2Fbuyers*', here: '/admin/buyers?details=*' },
    secret: ({ row, app }) =>
      row === 'GET' ? '>Buyers</h1>' : row === 'GET details' ? app.scenario.cast.buyerA.email : '',
    async request({ app, row }) {
      const { id } = row.startsWith('POST') ? await createUser(app.db, 'buyer') : app.scenario.cast.buyerA;
      if (row.startsWith('POST')) {
        const [, intent = ''] = row.split(' ');
        return sameOriginForm({
          intent: intent === 'no' ? 'suspend' : intent,
          id,
          reason: intent === 'no' ? '' : 'Spam',
        });
      }
      const details = row === 'GET details' ? id : badId({ row: row.replace(/^GET /, '') }, id);
      return details ? { path: adminPaths.buyers({ details }) } : {};
    },
  },
};
