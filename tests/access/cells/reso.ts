import type { Grant } from '#features/api-keys/model.ts';
import {
  resoCount,
  resoMetadata,
  resoPage,
  resoRecord,
  resoResources,
  resoService,
} from '#features/reso/reads.ts';
import { type Cell, type Cells, operation } from '../support/operation.ts';
import { listingKinds } from '../support/scenario.ts';
import { sameForAll } from '../support/table-rows.ts';

// What is seen depends on the key alone, never on who is signed in.
const seenByKey: Record<string, string> = {
  'A’s Active': 'all, A’s',
  'A’s pending': 'none',
  'A’s changes_requested': 'none',
  'A’s rejected': 'none',
  'A’s withdrawn': 'all, A’s',
  'A’s escrow': 'all, A’s',
  'A’s Sold': 'all, A’s',
  'A’s deleted': 'none',
  'suspended seller’s Active': 'none',
  'suspended seller’s Sold': 'all',
};
/** A withdrawn listing is what was approved of it, or what nobody has seen yet. */
const withdrawn = {
  'A’s withdrawn': { listed_at: new Date() },
  'A’s withdrawn before its approval': { listed_at: null, needs_approval_since: new Date() },
  'A’s withdrawn, edited since': { listed_at: new Date(), needs_approval_since: new Date() },
};
const table = sameForAll(
  ...listingKinds.map((kind): [string, string] => [kind, seenByKey[kind] ?? '?']),
  ['A’s withdrawn before its approval', 'A’s'],
  ['A’s withdrawn, edited since', 'A’s'],
);

function listingOf({ scenario, row }: Pick<Cell, 'scenario' | 'row'>): Promise<string> {
  const facts = Object.entries(withdrawn).find(([kind]) => kind === row)?.[1];
  return facts ? scenario.listing('A’s withdrawn', facts) : scenario.listing(row);
}

const grants = ({ scenario }: Cell): Record<string, Grant> => {
  const base = { keyId: '00000000-0000-4000-8000-000000000000', scopes: ['listings'] as const };
  const { sellerA, sellerB } = scenario.cast;
  return {
    all: { ...base, agentId: null },
    'A’s': { ...base, agentId: sellerA.agentId },
    'B’s': { ...base, agentId: sellerB.agentId },
  };
};

/** The names of the keys by which the listing is found. */
async function keysThatSee(cell: Cell, sees: (grant: Grant) => Promise<boolean>): Promise<string> {
  const names: string[] = [];
  for (const [name, grant] of Object.entries(grants(cell))) if (await sees(grant)) names.push(name);
  return names.join(', ') || 'none';
}

const requestFor = (id: string) => ({
  resource: 'Property',
  params: new URLSearchParams({ $filter: `ListingKey eq '${id}'` }),
  prefer: null,
});

export const cells: Cells = {
  'reads#resoMetadata': operation({
    cells: sameForAll(['the document', 'allowed']),
    act: (ctx) => resoMetadata(ctx, { params: new URLSearchParams(), accept: '' }),
    mayChange: () => false,
  }),
  'reads#resoResources': operation({
    cells: sameForAll(['their names and fields', 'allowed']),
    act: (ctx) => resoResources(ctx),
    mayChange: () => false,
  }),
  'reads#resoService': operation({
    cells: sameForAll(['the document', 'allowed']),
    act: (ctx) => resoService(ctx, { params: new URLSearchParams() }),
    mayChange: () => false,
  }),
  'reads#resoPage': operation({
    cells: table,
    prepare: listingOf,
    act: (ctx, id, cell) =>
      keysThatSee(cell, async (grant) => (await resoPage(ctx, grant, requestFor(id))).records.length === 1),
    outcomeOf: (names) => names,
    mayChange: () => false,
  }),
  'reads#resoCount': operation({
    cells: table,
    prepare: listingOf,
    act: (ctx, id, cell) =>
      keysThatSee(cell, async (grant) => (await resoCount(ctx, grant, requestFor(id))) === 1),
    outcomeOf: (names) => names,
    mayChange: () => false,
  }),
  'reads#resoRecord': operation({
    cells: table,
    prepare: listingOf,
    act: (ctx, id, cell) =>
      keysThatSee(cell, (grant) =>
        resoRecord(ctx, grant, { resource: 'Property', params: new URLSearchParams(), key: id }).then(
          () => true,
          () => false,
        ),
      ),
    outcomeOf: (names) => names,
    mayChange: () => false,
  }),
};
