import { expect } from 'vitest';
import type { AddressCell, Addresses } from '../support/address.ts';
import { addKey } from '../support/api-keys.ts';
import { sameForAll } from '../support/table-rows.ts';

/** Asks with a key of the person that the row names; whoever is signed in changes nothing. */
const withKey =
  (path: string) =>
  async ({ app, row }: AddressCell) => {
    const owner = row.includes('admin’s key') ? 'admin' : row.includes('seller A’s key') ? 'sellerA' : null;
    const suspended = row.includes('suspended') ? 'suspended' : owner;
    const secret = suspended ? (await addKey(app.scenario, suspended)).secret : '';
    return { path, ...(secret && { headers: { authorization: `Bearer ${secret}` } }) };
  };

const byKey = sameForAll(
  ['GET without a key', '401'],
  ['GET admin’s key', '200'],
  ['GET seller A’s key', '200'],
  ['GET suspended seller’s key', '403'],
);

function expectOData({
  status,
  headers,
  text,
}: {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}) {
  expect(headers['odata-version']).toBe('4.01');
  if (status !== 200)
    expect(JSON.parse(text).error).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

export const addresses: Addresses = {
  '/reso/odata': { cells: byKey, request: withKey('/reso/odata'), verify: expectOData },
  '/reso/odata/:resource': {
    cells: byKey,
    request: withKey('/reso/odata/Property?$top=1'),
    verify: expectOData,
  },
  '/reso/odata/:resource/$count': {
    cells: byKey,
    request: withKey('/reso/odata/Property/$count'),
    verify: expectOData,
  },
};
