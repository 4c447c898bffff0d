import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#routing/paths.ts';
import type { AddressCell, Addresses } from '../support/address.ts';
import { createConversation } from '../support/conversations.ts';
import { badId } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const QUESTION = 'Is the unmistakable well deep?';
const ANSWER = 'Forty feet and a hand.';

/** The conversation each cell is about, to assert its state afterwards. */
const subjects = new WeakMap<AddressCell, string>();

/** The conversation of a row such as `GET .data A with A` or `POST reply B with the suspended`, or an invalid id. */
async function conversationFor(cell: AddressCell): Promise<string> {
  const { app, row } = cell;
  await app.db.q().deleteFrom('user_blocks').execute();
  const { inquiryId } = await createConversation(app.scenario, {
    others: row.includes('B with'),
    values: { message: QUESTION },
  });
  const bad = badId({ row: row.replace(/^(?:GET|POST \w+) /, '') }, inquiryId);
  subjects.set(cell, bad ?? inquiryId);
  return bad ?? inquiryId;
}

const actionForm = ({ row }: AddressCell) =>
  sameOriginForm({ intent: row.split(' ')[1] ?? '', message: ANSWER, reason: ANSWER, key: randomUUID() });

/** Asserts that something was written, read, reported or blocked only where the cell allows it. */
async function expectOnlyAllowedChanges({ status }: { status: number }, cell: AddressCell): Promise<void> {
  const id = subjects.get(cell);
  if (!id || !/^POST (?:reply|read|report|block) [AB]/.test(cell.row)) return;
  const { db, scenario } = cell.app;
  const q = db.q();
  const messages = await q
    .selectFrom('inquiry_messages')
    .select(['message', 'is_read'])
    .where('inquiry_id', '=', id)
    .execute();
  const reports = await q.selectFrom('inquiry_reports').select('id').where('inquiry_id', '=', id).execute();
  const blocks = await q.selectFrom('user_blocks').selectAll().execute();
  await q.deleteFrom('user_blocks').execute();
  const allowed = status < 400 && !(cell.actor === 'anonymous' || status === 302);
  const action = cell.row.split(' ')[1];
  // A suspended seller can neither send nor receive messages.
  const wrote = allowed && action === 'reply' && !cell.row.includes('the suspended');
  expect(messages.some(({ message }) => message === ANSWER)).toBe(wrote);
  expect(messages.some(({ is_read }) => is_read)).toBe(allowed && action === 'read');
  expect(reports).toHaveLength(allowed && action === 'report' ? 1 : 0);
  const mine = cell.actor === 'anonymous' ? undefined : scenario.person(cell.actor).id;
  expect(blocks.map(({ user_id }) => user_id)).toEqual(allowed && action === 'block' ? [mine] : []);
}

export const addresses: Addresses = {
  '/inquiries/:id': {
    cells: `
      ${columns}
      GET A with A                  401  200  404  200  404  404  404
      GET B with the suspended      401  404  200  404  404  200  404
      GET unknown id                401  404  404  404  404  404  404
      GET no id at all              401  404  404  404  404  404  404
      POST reply A with A           401  200  404  200  404  404  404
      POST reply B with the suspended  401  404  200  404  404  200  404
      POST read A with A            401  200  404  200  404  404  404
      POST report A with A          401  200  404  200  404  404  404
      POST block A with A           401  200  404  200  404  404  404
      POST unblock A with A         401  200  404  200  404  404  404
      POST reply unknown id         401  404  404  404  404  404  404
      POST steal A with A           400  400  400  400  400  400  400
    `,
    secret: QUESTION,
    async request(cell) {
      const path = paths.inquiry(await conversationFor(cell));
      return cell.row.startsWith('GET') ? { path } : { path, ...actionForm(cell) };
    },
    verify: expectOnlyAllowedChanges,
  },
  '/api/session': {
    cells: `
      ${columns}
      GET  200  200  200  200  200  200  200
    `,
    verify({ text }, { app, actor }) {
      const viewer = actor === 'anonymous' ? null : app.scenario.person(actor).id;
      expect(JSON.parse(text), actor).toEqual({ viewer });
    },
  },
  '/api/unread': {
    cells: `
      ${columns}
      GET  200  200  200  200  200  200  200
    `,
    async request({ app, actor }) {
      // One unread each for buyer A and seller A; only the administrator gets another user's count by id.
      await app.db.q().deleteFrom('property_inquiries').execute();
      await app.db.q().deleteFrom('property_notifications').execute();
      await app.db.q().deleteFrom('saved_searches').execute();
      await createConversation(app.scenario);
      const { id } = app.scenario.cast.buyerA;
      return { path: `${paths.unread()}?buyer_uuid=${actor === 'buyerA' ? '' : id}` };
    },
    verify({ text }, { actor }) {
      const messages = actor === 'buyerA' ? 1 : 0;
      const inquiries = actor === 'sellerA' ? 1 : 0;
      const own = { unread: messages + inquiries, messages, inquiries, updates: 0, matches: 0 };
      expect(JSON.parse(text), actor).toEqual(actor === 'admin' ? { unread: 1 } : own);
    },
  },
  '/api/send-inquiry-notification': {
    cells: `
      ${columns}
      GET                       405  405  405  405  405  405  405
      POST of A’s message       401  200  404  404  404  404  404
      POST of seller A’s        401  404  404  200  404  404  404
      POST of an inquiry        401  200  404  404  404  404  404
      POST of another type      401  400  400  400  400  400  400
      POST of nothing           401  400  400  400  400  400  400
    `,
    async request({ app, row }) {
      const { inquiryId, buyerId } = await createConversation(app.scenario);
      const messages = await app.db
        .q()
        .selectFrom('inquiry_messages')
        .select(['id', 'sender_id'])
        .where('inquiry_id', '=', inquiryId)
        .execute();
      const sent = messages.find(
        ({ sender_id }) => (sender_id === buyerId) === (row !== 'POST of seller A’s'),
      );
      if (row === 'GET') return {};
      const type = row.endsWith('type') ? 'digest' : row.endsWith('inquiry') ? 'new_inquiry' : 'new_response';
      const messageId = row.endsWith('inquiry') ? inquiryId : sent?.id;
      const { headers } = sameOriginForm({}, { json: true });
      return {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(row.endsWith('nothing') ? {} : { inquiryId, messageId, type }),
      };
    },
  },
  '/agent/inquiries': {
    cells: `
      ${columns}
      GET                              302 login  403  403  200       200  200       403
      GET .data                        202 login  403  403  200       200  200       403
      GET A with A                     302 login  403  403  200       404  404       403
      GET .data A with A               202 login  403  403  200       404  404       403
      GET unknown id                   302 login  403  403  404       404  404       403
      POST                             302 login  403  403  400       400  400       403
      POST reply A with A              302 login  403  403  303 here  404  404       403
      POST reply B with the suspended  302 login  403  403  404       404  422       403
      POST block A with A              302 login  403  403  303 here  404  404       403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Finquiries*', here: '/agent/inquiries?inquiry=*' },
    secret: ({ row }) =>
      row === 'GET' ? '>Property Inquiries</h1>' : row.includes('A with A') ? QUESTION : '',
    async request(cell) {
      const { row } = cell;
      if (row === 'POST') return sameOriginForm({ intent: 'reply' });
      if (!row.includes('with') && !row.includes(' id')) return {};
      const path = paths.sellerInquiries({ inquiry: await conversationFor(cell) });
      if (row.startsWith('POST')) return { path, ...actionForm(cell) };
      return { path: row.includes('.data') ? path.replace('?', '.data?') : path };
    },
    verify: expectOnlyAllowedChanges,
  },
};
