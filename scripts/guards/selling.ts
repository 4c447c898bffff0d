import { guards, type Mutant } from './mutant.ts';

const command = (name: string) => `features/listings/commands/${name}.ts`;
const OWN = ".where('agent_id', '=', agentId)";

/** Whose drafts and listings a seller reaches, and what may be done with them as they stand. */
export const sellingDecisions: Mutant[] = [
  ...guards(
    'features/listings/rules.ts',
    [' && actor.agentId !== null && !actor.suspended', ' && actor.agentId !== null'],
    ["actor.kind === 'user' && actor.role === 'agent' && actor.agentId !== null;", "actor.kind === 'user';"],
    [
      "status === 'Active' || status === 'pending'",
      "status === 'escrow' || status === 'Active' || status === 'pending'",
    ],
    ["=> status === 'withdrawn'", "=> status === 'withdrawn' || status === 'Sold'"],
    ['listing.listedAt === null && ', ''],
    ["if (status === 'Sold') return 'nothing';", ''],
    ["return status === 'escrow' ? 'description' : 'all';", "return 'all';"],
  ),
  ...guards('features/listings/form/listing.ts', [OWN, ''], [".where('deleted_at', 'is', null)", '']),
  ...guards('features/listings/form/drafts.ts', [OWN, ''], [OWN, '', 1]),
  ...guards(
    command('save-draft'),
    [OWN, ''],
    ["if (now && editScope(now.status) === 'nothing') return { ok: false, reason: 'locked' };", ''],
  ),
  ...guards(command('submit-listing'), [OWN, '']),
  ...guards(
    command('delete-draft'),
    [OWN, ''],
    ["if (!mayDelete(listing)) return { ok: false, reason: 'status' };", ''],
  ),
  ...guards(command('withdraw-listing'), [
    "if (await isBeingBought(ctx, propertyId)) return { ok: false, reason: 'being_bought' };",
    '',
  ]),
  ...guards(command('approve-listing'), [
    "if (!waits && !changed) return { ok: false, reason: 'status' };",
    '',
  ]),
];
