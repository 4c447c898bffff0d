import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { checkStates } from './check-states.ts';
import { findingList } from './findings.ts';
import type { AuditReport, PinnedHead } from './model.ts';
import { mayCheckAudit } from './rules.ts';
import { findUnchained, verifyChain } from './verify-chain.ts';

export { chainState } from './chain-state.ts';
export { recordHistory } from './history.ts';
export { historyList } from './history-list.ts';

/**
 * Verifies the audit log (R17): the whole chain, that nothing waits to be chained, and that the audit rows explain the present
 * state of every sale, listing, seller and setting. Reads in short statements of bounded size; an empty list of findings means
 * that all holds.
 * @param pinned a link that must be there, so that the removal of the end of the chain is found
 * @throws Unauthenticated, Forbidden for everyone but administrators and the command line
 */
export async function checkAudit(
  ctx: Ctx,
  { pinned = null }: { pinned?: PinnedHead | null } = {},
): Promise<AuditReport> {
  authorize(ctx, mayCheckAudit);
  const found = findingList();
  const head = await verifyChain(ctx, found, pinned);
  await findUnchained(ctx, found);
  await checkStates(ctx, found);
  return { findings: found.listed, total: found.total(), head };
}
