import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { SellerWork } from '../model.ts';
import { WorkList } from './work-list.tsx';

const nothing: SellerWork = {
  replies: null,
  sales: { entries: [], total: 0 },
  sentBack: { entries: [], total: 0 },
  payouts: null,
};
function listOf(work: Partial<SellerWork>) {
  const element = createElement(WorkList, { work: { ...nothing, ...work } });
  const router = createMemoryRouter([{ path: '*', element }]);
  const html = renderToStaticMarkup(createElement(RouterProvider, { router }));
  return {
    html,
    text: html
      .replace(/<[^>]+>/g, ' ')
      .replace(/\s+/g, ' ')
      .replace(/ ([.,])/g, '$1')
      .trim(),
    links: [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href),
  };
}
const sale = { saleId: 's1', address: '5 Quarry Hill', dueAt: '2026-11-28T17:00:00.000Z', overdue: false };

it('shows nothing when nothing waits', () => {
  expect(listOf({}).html).toBe('');
});

it('leads from each entry to where it is done', () => {
  const { text, links } = listOf({
    replies: { count: 2, since: new Date().toISOString() },
    sales: { entries: [{ ...sale, step: 'documents' }], total: 1 },
    sentBack: {
      entries: [
        { id: 'p1', address: '12 Oak Lane', status: 'changes_requested', note: 'The photos are too dark.' },
        { id: 'p2', address: '13 Oak Lane', status: 'rejected', note: null },
      ],
      total: 2,
    },
    payouts: 'not_set',
  });
  expect(links).toEqual([
    '/agent/inquiries?filter=needs_response',
    '/agent/sales/s1',
    '/agent/properties/p1/edit',
    '/agent/properties/p2/edit',
    '/agent/settings',
  ]);
  expect(text).toBe(
    'Waiting for you 2 conversations need your reply The first of these buyers wrote just now. ' +
      'Deliver the closing documents: 5 Quarry Hill Due by Nov 28, 5:00 PM UTC. ' +
      'Changes requested: 12 Oak Lane The photos are too dark. ' +
      'Rejected: 13 Oak Lane Change the listing, then submit it again. ' +
      'Payouts are not set Choose how you want to be paid.',
  );
});

it('says what is overdue, what the buyer asks for, what is not verified, and how many more there are', () => {
  expect(listOf({ replies: { count: 1, since: new Date().toISOString() } }).text).toContain(
    '1 conversation needs your reply The buyer wrote just now.',
  );
  const late = listOf({ sales: { entries: [{ ...sale, step: 'documents', overdue: true }], total: 1_205 } });
  expect(late.text).toContain('Overdue since Nov 28, 5:00 PM UTC.');
  expect(late.text).toContain('1,204 more in My Transactions.');
  expect(late.links).toContain('/agent/transactions');
  const asked = listOf({ sales: { entries: [{ ...sale, step: 'cancellation', dueAt: null }], total: 1 } });
  expect(asked.text).toContain(
    'The buyer wants to cancel: 5 Quarry Hill Agree to the cancellation or decline it.',
  );
  expect(listOf({ payouts: 'pending' }).text).toContain(
    'Pending Payout Setup Payouts start once the method you chose is verified.',
  );
});
