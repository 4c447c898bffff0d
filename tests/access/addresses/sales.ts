import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { paths } from '#app/paths.ts';
import { type Addresses, all, type Visit } from '../address.ts';
import { fromOurPage } from '../house.ts';
import { lastingSale, newSale, type StagedSale, standing } from '../sales.ts';

const columns = 'anonymous  buyerA  buyerB  sellerA  sellerB  suspended  admin';
const STREET = '19 Unmistakable Row';
const DAY = 86_400_000;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** The sale that a visit is about, so that what has become of it can be asserted. */
const about = new WeakMap<Visit, StagedSale>();

/** The sale of a row such as `GET .data in escrow`, or `POST release in escrow` whose second word is what is wanted. */
async function saleOf(visit: Visit): Promise<string> {
  const { house, row } = visit;
  const [, story = ''] = /^(?:GET(?: \.data)?|POST \w+) (.+)$/.exec(row) ?? [];
  if (story === 'unknown id') return UNKNOWN;
  if (story === 'no id at all') return 'no-id';
  const others = story.startsWith('B’s of the suspended');
  const who = others ? ({ buyer: 'buyerB', seller: 'suspended' } as const) : {};
  const told = story.replace('B’s of the suspended, ', '');
  const sale = await (row.startsWith('GET') ? lastingSale : newSale)(house.stage, told, who);
  await house.db
    .q()
    .updateTable('properties')
    .set({ address: STREET })
    .where('id', '=', sale.propertyId)
    .execute();
  about.set(visit, sale);
  return sale.saleId;
}

const pageOf = (path: (id: string) => string) => async (visit: Visit) => {
  const page = path(await saleOf(visit));
  if (visit.row.startsWith('GET')) return { path: visit.row.includes('.data') ? `${page}.data` : page };
  const [, event = ''] = visit.row.split(' ');
  return { path: page, ...fromOurPage({ event, note: 'The roof leaks.' }) };
};
/** What the sign-in page leads back to is the page that was asked for. */
const leadsBack =
  (path: (id: string) => string) =>
  async ({ headers, status }: { headers: { location?: string }; status: number }, visit: Visit) => {
    const sale = about.get(visit);
    if (!sale) return;
    const next = new URL(headers.location ?? '/', 'http://x').searchParams.get('next');
    if (next) expect(next).toBe(path(sale.saleId));
    if (!visit.row.startsWith('POST')) return;
    const [, event] = visit.row.split(' ');
    const done = status === 303 && event === 'confirm_closing';
    expect(await standing(visit.house.stage, sale)).toBe(
      done ? 'completed/completed/pending Sold' : 'completed/in_escrow/ escrow',
    );
  };

export const addresses: Addresses = {
  '/property/:id/purchase': {
    sandbox: true,
    cells: `
      ${columns}
      GET A’s Active                       405        405           405           405       405       405       405
      POST A’s Active                      303 login  303 checkout  303 checkout  303 page  303 page  303 page  303 page
      POST json A’s Active                 401        200           200           403       403       403       403
      POST json A’s pending                401        404           404           403       404       404       403
      POST json A’s Sold                   401        409           409           403       403       403       403
      POST json A’s deleted                401        404           404           404       404       404       404
      POST json suspended seller’s Active  401        404           404           404       404       403       403
      POST cancel open                     401        303 page      404           404       404       404       404
      POST cancel in escrow                401        303 page      404           404       404       404       404
      POST json cancel open                401        200           404           404       404       404       404
      POST json cancel in escrow           401        409           404           404       404       404       404
    `,
    to: { login: '/buyer/login?next=*', checkout: '/sandbox/checkout/cs_*', page: '/property/*' },
    async asks(visit) {
      const { house, row } = visit;
      const [, json, cancel, what = ''] = /^\w+ (json )?(cancel )?(.*)$/.exec(row) ?? [];
      const scripted: Record<string, string> = json ? { scripted: '1' } : {};
      if (cancel) {
        const sale = await newSale(house.stage, what);
        about.set(visit, sale);
        return {
          path: paths.purchase(sale.propertyId),
          ...fromOurPage({ ...scripted, cancel: sale.saleId }),
        };
      }
      // Three unpaid purchases a day are enough for one buyer (R18); those of the other cells were long ago.
      await house.db
        .q()
        .updateTable('property_sales')
        .set({ created_at: new Date(Date.now() - 2 * DAY) })
        .execute();
      const path = paths.purchase(await house.stage.listing(what));
      const wish = { ...scripted, method: 'card', total: '74200000', key: randomUUID() };
      return row.startsWith('GET') ? { path } : { path, ...fromOurPage(wish) };
    },
    async holds({ status, headers, text }, visit) {
      if (status === 405) expect(headers.allow).toBe('POST');
      const sale = about.get(visit);
      if (sale) {
        const stood = visit.row.endsWith('open') ? 'pending/pending/ Active' : 'completed/in_escrow/ escrow';
        const ended = visit.actor === 'buyerA' && visit.row.endsWith('open');
        expect(await standing(visit.house.stage, sale)).toBe(ended ? 'failed/cancelled/ Active' : stood);
      } else if (status >= 400) expect(text).not.toContain('saleId');
    },
  },

  '/buyer/transactions': {
    sandbox: true,
    cells: `
      ${columns}
      GET               302 login  200  200  302 login  302 login  302 login  302 login
      GET .data         202 login  200  200  202 login  202 login  202 login  202 login
      POST              302 login  400  400  302 login  302 login  302 login  302 login
      GET recent        302 login  200  200  302 login  302 login  302 login  302 login
      GET watched       302 login  200  200  302 login  302 login  302 login  302 login
      GET inquiries     302 login  200  200  302 login  302 login  302 login  302 login
      GET no cursor     302 login  400  400  302 login  302 login  302 login  302 login
      GET in escrow     302 login  200  404  302 login  302 login  302 login  302 login
      GET open          302 login  200  404  302 login  302 login  302 login  302 login
      GET unknown id    302 login  404  404  302 login  302 login  302 login  302 login
      GET no id at all  302 login  404  404  302 login  302 login  302 login  302 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Ftransactions*' },
    secret: ({ row }) => (row === 'GET' ? '>My Activity</h1>' : row.includes('open') ? STREET : ''),
    async asks(visit) {
      if (visit.row === 'POST') return fromOurPage({});
      if (visit.row === 'GET' || visit.row === 'GET .data') return {};
      const tab = /^GET (recent|watched|inquiries)$/.exec(visit.row)?.[1];
      if (tab) return { path: paths.buyerActivity({ tab }) };
      if (visit.row === 'GET no cursor') return { path: paths.buyerActivity({ before: 'none' }) };
      return { path: paths.buyerActivity({ tab: 'transactions', sale: await saleOf(visit) }) };
    },
  },
  '/buyer/sales/:id': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                     302 login  200       404       302 login  302 login  302 login  302 login
      GET .data in escrow               202 login  200       404       202 login  202 login  202 login  202 login
      GET open                          302 login  200       404       302 login  302 login  302 login  302 login
      GET released                      302 login  200       404       302 login  302 login  302 login  302 login
      GET unknown id                    302 login  404       404       302 login  302 login  302 login  302 login
      GET no id at all                  302 login  404       404       302 login  302 login  302 login  302 login
      POST confirm_closing in escrow    302 login  303 here  404       302 login  302 login  302 login  302 login
      POST release in escrow            302 login  409       404       302 login  302 login  302 login  302 login
      POST settle_refund in escrow      302 login  400       400       302 login  302 login  302 login  302 login
    `,
    to: { login: '/buyer/login?next=%2Fbuyer%2Fsales%2F*', here: '/buyer/sales/*' },
    secret: ({ row }) => (row.includes(' id') ? '' : STREET),
    asks: pageOf(paths.buyerSale),
    holds: leadsBack(paths.buyerSale),
  },
  '/agent/sales/:id': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                                        302 login  403  403  200       404  404  403
      GET .data in escrow                                  202 login  403  403  200       404  404  403
      GET B’s of the suspended, in escrow                  302 login  403  403  404       404  200  403
      GET unknown id                                       302 login  403  403  404       404  404  403
      GET no id at all                                     302 login  403  403  404       404  404  403
      POST deliver_documents in escrow                     302 login  403  403  303 here  404  404  403
      POST confirm_closing in escrow                       302 login  403  403  409       404  404  403
      POST deliver_documents B’s of the suspended, in escrow  302 login  403  403  404    404  409  403
    `,
    to: { login: '/agent/login?next=%2Fagent%2Fsales%2F*', here: '/agent/sales/*' },
    // To its buyer and to administrators the sale is no secret, only this page of it is not theirs.
    secret: ({ row, actor }) =>
      row.includes(' id') || actor === 'admin' || actor === (row.includes('B’s') ? 'buyerB' : 'buyerA')
        ? ''
        : STREET,
    asks: pageOf(paths.agentSale),
    holds: leadsBack(paths.agentSale),
  },
  '/receipt/:id': {
    sandbox: true,
    cells: `
      ${columns}
      GET in escrow                        302 login  200  404  200  404  404  200
      GET .data in escrow                  202 login  200  404  200  404  404  200
      GET B’s of the suspended, in escrow  302 login  404  200  404  404  200  200
      GET open                             302 login  404  404  404  404  404  404
      GET unknown id                       302 login  404  404  404  404  404  404
      GET no id at all                     302 login  404  404  404  404  404  404
      POST pay in escrow                   405        405  405  405  405  405  405
    `,
    to: { login: '/buyer/login?next=%2Freceipt%2F*' },
    secret: ({ row }) => (row.includes(' id') ? '' : STREET),
    asks: pageOf(paths.receipt),
    holds({ status, text }, { row, actor }) {
      // Only whom the sale concerns is told that there is one.
      const concerned = row === 'GET open' && ['buyerA', 'sellerA', 'admin'].includes(actor);
      if (status === 404) expect(text.includes('Receipt available after payment')).toBe(concerned);
    },
  },
  // As at a provider: whoever has the address of a checkout can pay it, and nobody can guess one.
  '/sandbox/checkout/:ref': {
    sandbox: true,
    cells: all(
      ['GET open', '200'],
      ['GET .data open', '200'],
      ['GET unknown', '404'],
      ['GET sale id', '404'],
      ['POST cancel open', '303 property'],
      ['POST steal open', '400'],
      ['POST pay unknown', '404'],
    ),
    to: { property: '/property/*' },
    secret: ({ row }) => (row === 'GET open' ? 'Sandbox – no real money moves' : ''),
    async asks(visit) {
      const { row } = visit;
      const known = row.endsWith('open');
      const sale = await lastingSale(visit.house.stage, 'open');
      const ref = known ? sale.ref : row.endsWith('sale id') ? sale.saleId : 'cs_test_unknown';
      const path = paths.sandboxCheckout(ref ?? '');
      if (row.startsWith('GET')) return { path: row.includes('.data') ? `${path}.data` : path };
      return { path, ...fromOurPage({ action: row.split(' ')[1] ?? '' }) };
    },
  },
};
