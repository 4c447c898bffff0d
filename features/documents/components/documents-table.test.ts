import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { expect, it } from 'vitest';
import type { RegistryDocument } from '../registry-model.ts';
import { DocumentsTable } from './documents-table.tsx';

const document: RegistryDocument = {
  id: 'd1',
  name: 'Statement 2026-10.pdf',
  type: 'Seller statement',
  createdAt: '2026-11-01T00:00:00.000Z',
  property: null,
  visibility: 'private',
  status: 'pending',
  reason: null,
  network: null,
  transactionHash: null,
  cid: null,
  retryable: false,
};

/** The cell below 'Property', as the server renders it. */
function placeOf(change: Partial<RegistryDocument>) {
  const element = createElement(DocumentsTable, {
    rows: [{ ...document, ...change }],
    links: {},
    narrowed: false,
    sort: null,
    onSort: () => undefined,
  });
  const router = createMemoryRouter([{ path: '*', element }]);
  const html = renderToStaticMarkup(createElement(RouterProvider, { router }));
  return /<td[^>]*data-label="Property"[^>]*>(.*?)<\/td>/
    .exec(html)?.[1]
    ?.replace(/<[^>]+>/g, ' ')
    .trim();
}

it('calls a property unknown only where there was one', () => {
  expect(placeOf({})).toMatch(/^—\s+Of no property$/);
  expect(placeOf({ type: 'Deed' })).toBe('Unknown property');
  const property = { id: 'p1', address: '12 Quarry Rise', town: 'Port Alder, OR 97103' };
  expect(placeOf({ type: 'Settlement statement', property })).toContain('12 Quarry Rise');
});
