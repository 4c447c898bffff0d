import type { CtxWith } from '#gateways/ports.ts';
import { authorizedUser } from '#platform/access.ts';
import { audit } from '#platform/audit.ts';
import { requireFreshProof } from '#platform/auth/fresh-proof.ts';
import { tryLock } from '#platform/db/locks.ts';
import { enqueue } from '#platform/jobs/enqueue.ts';
import { workChainJob } from '../chain-jobs.ts';
import { mayManageChain } from '../rules.ts';

export type ContractAction =
  | { action: 'deploy' }
  | { action: 'pause' }
  | { action: 'unpause' }
  | { action: 'base_uri'; base: string };

type Refusal = 'not_configured' | 'read_only' | 'no_contract' | 'exists' | 'busy' | 'base';
type ManageContractResult = { ok: true } | { ok: false; reason: Refusal; text: string };

const texts: Record<Refusal, string> = {
  not_configured: 'Chain not configured',
  read_only: 'The contract of a main network is not changed from here.',
  no_contract: 'No contract is deployed on this network.',
  exists: 'A contract is deployed on this network already.',
  busy: 'The last change of the contract is not final yet. Please try again in a minute.',
  base: 'Enter an address that starts with ipfs:// or https:// and ends with a slash.',
};
const refused = (reason: Refusal): ManageContractResult => ({ ok: false, reason, text: texts[reason] });

const BASE = /^(?:ipfs:\/\/|https:\/\/[^\s/]+\/(?:\S*\/)?)$/;
const MAX_BASE = 200;

/**
 * Deploys the contract, pauses it, or changes what the addresses of its metadata begin with: on test networks, elsewhere only when the
 * environment allows it. Queued: the worker writes it to the chain.
 * @throws Unauthenticated, Forbidden for everyone but administrators; ProofRequired
 */
export async function manageContract(
  ctx: CtxWith<'chain'>,
  change: ContractAction,
): Promise<ManageContractResult> {
  const admin = authorizedUser(ctx, mayManageChain);
  requireFreshProof(ctx);
  const { network, missing, mayManage } = ctx.chain;
  if (missing !== null) return refused('not_configured');
  if (!mayManage) return refused('read_only');
  const base = change.action === 'base_uri' ? change.base.trim() : null;
  if (base !== null && (base.length > MAX_BASE || !BASE.test(base))) return refused('base');
  return ctx.db.tx(async () => {
    if (!(await tryLock(ctx, `chain contract ${network}`))) return refused('busy');
    const rows = await ctx.db
      .q()
      .selectFrom('chain_transactions')
      .select(['kind', 'state'])
      .where('network', '=', network)
      .where('kind', 'in', ['deploy', 'pause', 'unpause', 'base_uri'])
      .where('state', '!=', 'failed')
      .execute();
    if (rows.some(({ state }) => state !== 'final')) return refused('busy');
    const deployed = rows.some(({ kind }) => kind === 'deploy');
    if (change.action === 'deploy' && deployed) return refused('exists');
    if (change.action !== 'deploy' && !deployed) return refused('no_contract');
    const now = ctx.now();
    const { id } = await ctx.db
      .q()
      .insertInto('chain_transactions')
      .values({
        kind: change.action,
        network,
        call: JSON.stringify(base === null ? {} : { base }),
        requested_by: admin.id,
        next_at: now,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      action: `contract.request-${change.action}`,
      entity: 'chain_transaction',
      entityId: id,
      after: { network, ...(base !== null && { base }) },
    });
    await enqueue(ctx, workChainJob, {}, { key: 'chain' });
    return { ok: true };
  });
}
