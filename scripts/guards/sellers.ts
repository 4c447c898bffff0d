import { guards, type Mutant } from './mutant.ts';

/** Guards of registration, payouts and the seller's tables that no rule finds. */
export const sellerDecisions: Mutant[] = [
  ...guards(
    'features/sellers/rules.ts',
    [' && !actor.suspended', ''],
    ["actor.role === 'agent' && actor.agentId !== null", 'actor.agentId !== null || true'],
  ),
  ...guards(
    'features/sellers/registration.ts',
    ["if (token !== null && !proven) return { state: 'invalid' };", ''],
    ["if (seller.user_id && seller.email_verified) return { state: 'registered' };", ''],
    ['const proven = token !== null && (await isInvited(ctx, id, token));', 'const proven = token !== null;'],
  ),
  ...guards(
    'features/sellers/invitations.ts',
    [".where('token_hash', '=', hashOf(token))", ''],
    [".where('agent_id', '=', sellerId)", ''],
  ),
  ...guards('features/sellers/paypal-token.ts', [
    'given.length === right.length && timingSafeEqual(given, right)',
    'true',
  ]),
  ...guards(
    'features/listings/own-listings.ts',
    ['p.agent_id = ${agentId} and p.deleted_at is null', 'p.deleted_at is null'],
    ['p.agent_id = ${agentId} and p.deleted_at is null', 'p.agent_id = ${agentId}'],
  ),
  ...guards(
    'features/purchases/seller-sales.ts',
    ['=> sql`s.agent_id = ${agentId}', '=> sql`true'],
    [".where('agent_id', '=', agentId)", ''],
  ),
];
