import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { deleteSeller } from '#features/sellers/commands/delete-seller.ts';
import { setCommissionRate } from '#features/sellers/commands/set-commission-rate.ts';
import { setSellerPhone } from '#features/sellers/commands/set-seller-phone.ts';
import { reactivateSeller, suspendSeller } from '#features/sellers/commands/set-suspension.ts';
import { withdrawListings } from '#features/sellers/commands/withdraw-listings.ts';
import { managedSeller, sellerList, sellerRemoval } from '#features/sellers/reads.ts';
import { createListing } from '#tests/support/fixtures/listings.ts';
import { createUser } from '#tests/support/fixtures/users.ts';
import { type Cell, type Cells, operation } from '../../support/operation.ts';
import { agentRecord, type Scenario } from '../../support/scenario.ts';
import { HEAD, systemOnlyRows } from '../../support/table-rows.ts';

const ADMINS = 'Unauthenticated  Forbidden  Forbidden  Forbidden  Forbidden  Forbidden';
/** Sellers that administrators cannot change. */
const GONE = `
      an archived one  ${ADMINS}  NotFound
      no such id       ${ADMINS}  NotFound
      no id at all     ${ADMINS}  NotFound
`;

async function newSeller({ db }: Scenario, values: { status?: 'suspended'; archived_at?: Date } = {}) {
  const { agentId } = await createUser(db, 'agent');
  if (Object.keys(values).length > 0)
    await db.q().updateTable('agents').set(values).where('id', '=', agentId).execute();
  return agentId ?? '';
}

/** The seller a row names, made for its cell. */
async function sellerOf({ scenario, row }: Cell): Promise<string> {
  if (row === 'no such id') return randomUUID();
  if (row === 'no id at all') return "' or 1=1 --";
  if (row === 'an archived one') return newSeller(scenario, { archived_at: new Date() });
  if (row === 'a suspended one') return newSeller(scenario, { status: 'suspended' });
  const id = await newSeller(scenario);
  if (row === 'one with listings') await createListing(scenario.db, id, { status: 'Active' });
  return id;
}

export const cells: Cells = {
  'reads#sellerList': operation({
    cells: `
      ${HEAD}
      all of them  ${ADMINS}  allowed
    `,
    act: (ctx) => sellerList(ctx, { pageSize: 20 }),
    mayChange: () => false,
  }),

  'reads#managedSeller': operation({
    cells: `
      ${HEAD}
      a seller         ${ADMINS}  allowed
      an archived one  ${ADMINS}  allowed
      no such id       ${ADMINS}  NotFound
      no id at all     ${ADMINS}  NotFound
    `,
    prepare: sellerOf,
    act: (ctx, id) => managedSeller(ctx, id),
    mayChange: () => false,
  }),

  'reads#sellerRemoval': operation({
    cells: `
      ${HEAD}
      a seller           ${ADMINS}  delete
      one with listings  ${ADMINS}  archive
      no id at all       ${ADMINS}  NotFound
    `,
    prepare: sellerOf,
    act: (ctx, id) => sellerRemoval(ctx, id),
    outcomeOf: ({ way }) => way,
    mayChange: () => false,
  }),

  'commands/set-commission-rate#setCommissionRate': operation({
    cells: `
      ${HEAD}  unproven
      a seller  ${ADMINS}  allowed  ProofRequired
      ${GONE.replaceAll('NotFound', 'NotFound  ProofRequired')}
    `,
    prepare: sellerOf,
    act: (ctx, sellerId) => setCommissionRate(ctx, { sellerId, rate: '75', seen: '' }),
    async verify(_, id, { scenario, outcome, row }) {
      if (row === 'a seller')
        expect((await agentRecord(scenario, id)).commission_rate).toBe(outcome === 'allowed' ? 75 : null);
    },
  }),

  'commands/set-seller-phone#setSellerPhone': operation({
    cells: `
      ${HEAD}
      a seller  ${ADMINS}  allowed
      ${GONE}
    `,
    prepare: sellerOf,
    act: (ctx, sellerId) => setSellerPhone(ctx, { sellerId, phone: '(425) 555-0148', seen: '' }),
  }),

  'commands/set-suspension#suspendSeller': operation({
    cells: `
      ${HEAD}
      a seller         ${ADMINS}  allowed
      a suspended one  ${ADMINS}  already
      ${GONE}
    `,
    prepare: sellerOf,
    act: (ctx, sellerId) => suspendSeller(ctx, { sellerId, reason: 'For a reason' }),
    async verify(_, id, { scenario, outcome, row }) {
      if (row === 'a seller')
        expect((await agentRecord(scenario, id)).status).toBe(outcome === 'allowed' ? 'suspended' : 'active');
    },
  }),

  'commands/set-suspension#reactivateSeller': operation({
    cells: `
      ${HEAD}
      a seller         ${ADMINS}  already
      a suspended one  ${ADMINS}  allowed
      ${GONE}
    `,
    prepare: sellerOf,
    act: (ctx, sellerId) => reactivateSeller(ctx, { sellerId, reason: 'For a reason' }),
  }),

  'commands/withdraw-listings#withdrawListings': operation({
    cells: systemOnlyRows('a seller'),
    prepare: sellerOf,
    act: (ctx, sellerId) => withdrawListings(ctx, { sellerId, after: null }),
  }),

  'commands/delete-seller#deleteSeller': operation({
    cells: `
      ${HEAD}
      a seller           ${ADMINS}  allowed
      one with listings  ${ADMINS}  changed
      ${GONE}
    `,
    prepare: sellerOf,
    act: (ctx, sellerId) => deleteSeller(ctx, { sellerId, way: 'delete' }),
    async verify(_, id, { scenario, outcome, row }) {
      if (row !== 'a seller') return;
      const left = await scenario.db.q().selectFrom('agents').select('id').where('id', '=', id).execute();
      expect(left).toHaveLength(outcome === 'allowed' ? 0 : 1);
    },
  }),
};
