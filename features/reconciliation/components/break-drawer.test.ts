import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { BreakDecision, BreakDetail } from '../views.ts';
import { BreakDrawer } from './break-drawer.tsx';

const detail: BreakDetail = {
  id: 'b',
  kind: 'orphan_charge',
  title: 'A payment belongs to no sale',
  state: 'resolved',
  saleId: null,
  provider: 'stripe',
  livemode: true,
  expectedCents: 0,
  actualCents: 5_000,
  detail: '',
  createdAt: '2026-11-20T10:00:00.000Z',
  resolution: 'refunded',
  resolvedAt: '2026-11-21T10:00:00.000Z',
  evidence: {},
  transaction: null,
  postings: [],
  note: '',
  resolvedBy: null,
  approvedBy: null,
  approvals: [],
  refunds: [],
};
const decision: BreakDecision = {
  actions: [],
  atStakeCents: null,
  inSuspenseCents: 0,
  refundRuns: false,
  approvalAboveCents: 10_000,
  choices: [],
  counterparts: [],
  isOutgoing: false,
};

it.each([
  ['pending', 'Waits to be sent'],
  ['sent', 'Sent to the provider'],
  ['arrived', 'Booked by the provider'],
  ['failed', 'Failed'],
] as const)('a refund that is %s says so', (status, words) => {
  const refund = { status, amountCents: 5_000, failure: null, createdAt: '2026-11-20T11:00:00.000Z' };
  const element = createElement(BreakDrawer, {
    shown: { detail: { ...detail, refunds: [refund] }, decision },
    closeHref: '/',
    actionHref: () => '/',
    saleHref: () => undefined,
    history: null,
  });
  const router = createMemoryRouter([{ path: '*', element }]);
  expect(renderToStaticMarkup(createElement(RouterProvider, { router }))).toContain(
    `<small>${words}</small>`,
  );
});
