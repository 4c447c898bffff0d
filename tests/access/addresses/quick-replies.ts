import { randomUUID } from 'node:crypto';
import { sellerPaths } from '#routing/seller-paths.ts';
import type { Addresses } from '../support/address.ts';
import { HEAD } from '../support/table-rows.ts';
import { sameOriginForm } from '../support/test-app.ts';

const TEXT = 'We show the unmistakable cellar on Sundays.';

export const addresses: Addresses = {
  '/agent/quick-replies': {
    cells: `
      ${HEAD}
      GET              302 login  403  403  200       200       200  403
      GET .data        202 login  403  403  200       200       200  403
      GET edit A’s     302 login  403  403  200       200       200  403
      POST save new    302 login  403  403  303 here  303 here  403  403
      POST save A’s    302 login  403  403  303 here  422       403  403
      POST save empty  302 login  403  403  422       422       403  403
      POST delete A’s  302 login  403  403  303 here  303 here  403  403
      POST steal       302 login  403  403  400       400       400  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fquick-replies*', here: '/agent/quick-replies' },
    secret: ({ row, actor }) =>
      row.startsWith('GET .data') || row.startsWith('POST')
        ? ''
        : actor === 'sellerA'
          ? TEXT
          : '>Quick Replies</h1>',
    async request({ app, row }) {
      const q = app.db.q();
      await q.deleteFrom('quick_replies').execute();
      const { id } = await q
        .insertInto('quick_replies')
        .values({ agent_id: app.scenario.cast.sellerA.agentId ?? '', name: 'Cellar', text: TEXT })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (row === 'GET edit A’s') return { path: sellerPaths.quickReplies({ do: 'edit', id }) };
      if (row.startsWith('GET')) return {};
      const [, intent = '', of = ''] = row.split(' ');
      return sameOriginForm({
        intent,
        ...(of === 'A’s' && { id, version: '1' }),
        name: `Cellar ${randomUUID()}`,
        text: of === 'empty' ? ' ' : 'Dry.',
      });
    },
  },
};
