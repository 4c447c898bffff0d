import type { Actor, Ctx } from '../context.ts';
import { MINUTE } from '../durations.ts';
import { AppError } from '../errors.ts';

/** How long a proof counts that somebody is who they are, such as signing in: ten minutes. */
const PROOF_LASTS_MS = 10 * MINUTE;

/** The caller has to prove once more who they are. `runAction` asks for it and then repeats the form. */
export class ProofRequired extends AppError {
  constructor() {
    super('Please confirm that it is you', 403);
  }
}

/** Whether the actor has proved within the last ten minutes who they are. */
const hasFreshProof = (actor: Actor, now: Date): boolean =>
  actor.kind === 'user' &&
  actor.provedAt !== null &&
  now.getTime() - actor.provedAt.getTime() < PROOF_LASTS_MS;

/**
 * Guards what a stolen session must not do: right after `authorize`, in the commands that change administrators, keys, fees,
 * commission or money, and one's own factors. Signing in counts for ten minutes, as does proving it again. Asks nobody in the
 * demo, whose passwords are public, nor jobs and the command line.
 * @throws ProofRequired
 */
export function requireFreshProof(ctx: Ctx): void {
  const { actor, config } = ctx;
  if (actor.kind === 'system' || config.demo || hasFreshProof(actor, ctx.now())) return;
  throw new ProofRequired();
}
