import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#app/paths.ts';
import type { Addresses, Visit } from '../address.ts';
import { newTalk } from '../conversations.ts';
import { fromOurPage } from '../house.ts';
import { badId } from '../sale-rows.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const QUESTION = 'Is the unmistakable well deep?';
const ANSWER = 'Forty feet and a hand.';

/** The conversation that a visit is about, so that what has become of it can be asserted. */
const about = new WeakMap<Visit, string>();

/** The conversation of a row such as `GET .data A with A` or `POST reply B with the suspended`, or an id that is none. */
async function talkOf(visit: Visit): Promise<string> {
  const { house, row } = visit;
  await house.db.q().deleteFrom('user_blocks').execute();
  const { inquiryId } = await newTalk(house.stage, {
    others: row.includes('B with'),
    values: { message: QUESTION },
  });
  const bad = badId({ row: row.replace(/^(?:GET|POST \w+) /, '') }, inquiryId);
  about.set(visit, bad ?? inquiryId);
  return bad ?? inquiryId;
}

const deedOf = ({ row }: Visit) =>
  fromOurPage({ do: row.split(' ')[1] ?? '', message: ANSWER, reason: ANSWER, key: randomUUID() });

/** Only where the cell says so something was written, read or blocked. */
async function onlyWhereSaid({ status }: { status: number }, visit: Visit): Promise<void> {
  const id = about.get(visit);
  if (!id || !/^POST (?:reply|read|report|block) [AB]/.test(visit.row)) return;
  const { db, stage } = visit.house;
  const q = db.q();
  const messages = await q
    .selectFrom('inquiry_messages')
    .select(['message', 'is_read'])
    .where('inquiry_id', '=', id)
    .execute();
  const reports = await q.selectFrom('inquiry_reports').select('id').where('inquiry_id', '=', id).execute();
  const blocks = await q.selectFrom('user_blocks').selectAll().execute();
  await q.deleteFrom('user_blocks').execute();
  const allowed = status < 400 && !(visit.actor === 'anonymous' || status === 302);
  const deed = visit.row.split(' ')[1];
  // A suspended seller only reads, and is written to by nobody (B-098).
  const wrote = allowed && deed === 'reply' && !visit.row.includes('the suspended');
  expect(messages.some(({ message }) => message === ANSWER)).toBe(wrote);
  expect(messages.some(({ is_read }) => is_read)).toBe(allowed && deed === 'read');
  expect(reports).toHaveLength(allowed && deed === 'report' ? 1 : 0);
  const mine = visit.actor === 'anonymous' ? undefined : stage.person(visit.actor).id;
  expect(blocks.map(({ user_id }) => user_id)).toEqual(allowed && deed === 'block' ? [mine] : []);
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
    async asks(visit) {
      const path = paths.inquiry(await talkOf(visit));
      return visit.row.startsWith('GET') ? { path } : { path, ...deedOf(visit) };
    },
    holds: onlyWhereSaid,
  },
  '/api/unread': {
    cells: `
      ${columns}
      GET  200  200  200  200  200  200  200
    `,
    async asks({ house, actor }) {
      // One of buyer A's and seller A's own; whoever else is asked for by name gets no other answer (B-059).
      await house.db.q().deleteFrom('property_inquiries').execute();
      await newTalk(house.stage);
      const { id } = house.stage.cast.buyerA;
      return { path: `${paths.unread()}?buyer_uuid=${actor === 'buyerA' ? '' : id}` };
    },
    holds({ text }, { actor }) {
      const own = actor === 'buyerA' || actor === 'sellerA';
      expect(JSON.parse(text), actor).toEqual({ unread: own ? 1 : 0 });
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
    async asks(visit) {
      const { row } = visit;
      if (row === 'POST') return fromOurPage({ do: 'reply' });
      if (!row.includes('with') && !row.includes(' id')) return {};
      const path = paths.agentInquiries({ inquiry: await talkOf(visit) });
      if (row.startsWith('POST')) return { path, ...deedOf(visit) };
      return { path: row.includes('.data') ? path.replace('?', '.data?') : path };
    },
    holds: onlyWhereSaid,
  },
};
