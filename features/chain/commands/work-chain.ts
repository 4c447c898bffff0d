import { ChainError } from '#gateways/chain/port.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { authorize } from '#platform/access.ts';
import { followOpen } from '../follow.ts';
import { noticeLoss } from '../lost-blocks.ts';
import {
  assignNetwork,
  batchAnchors,
  explainMissing,
  explainWaiting,
  provideContract,
} from '../prepare-queued.ts';
import { mayWorkChain } from '../rules.ts';
import { signQueued } from '../sign-queued.ts';

/** What is left after a run. */
interface WorkResult {
  /** transactions that are not final, or could not be signed yet */
  open: number;
}

const NO_CONTRACT = 'No contract is deployed on this network';

/**
 * Carries on everything that is to be written to the chain: it is simulated, signed, committed, sent, and followed until it is final. May
 * be interrupted anywhere and run by several processes: what is done is on the chain or in the database, and nothing is done twice.
 * @param signal ends it after the step that runs
 * @throws Forbidden for everyone but jobs; ChainError when the node does not answer, after saying so of what waits
 */
export async function workChain(ctx: CtxWith<'chain'>, signal?: AbortSignal): Promise<WorkResult> {
  authorize(ctx, mayWorkChain);
  if (ctx.chain.missing !== null) {
    await explainMissing(ctx);
    return { open: 0 };
  }
  try {
    return await work(ctx, signal);
  } catch (error) {
    if (error instanceof ChainError) await explainWaiting(ctx, ctx.chain.network, error.message);
    throw error;
  }
}

async function work(ctx: CtxWith<'chain'>, signal: AbortSignal | undefined): Promise<WorkResult> {
  await ctx.chain.check();
  await assignNetwork(ctx);
  await noticeLoss(ctx);
  if (!(await provideContract(ctx))) {
    await explainWaiting(ctx, ctx.chain.network, NO_CONTRACT);
    return { open: 0 };
  }
  for (;;) {
    const signed = (await batchAnchors(ctx)) + (await signQueued(ctx));
    const { moved, open } = await followOpen(ctx);
    // What was handed over just now is in a block already where each transaction has its own.
    const again = open > 0 ? await followOpen(ctx) : { moved: 0, open: 0 };
    if (signal?.aborted || signed + moved + again.moved === 0) return { open: again.open };
  }
}
