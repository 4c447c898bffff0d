import { authorize } from '#platform/access.ts';
import { type PinCtx, workOnPin } from '../pin.ts';
import { mayPublishContent } from '../rules.ts';

/** Addresses of one run; the next one goes on. */
const MAX_OF_A_RUN = 100;

/**
 * Publishes what has become public, and stops publishing what no longer is, as far as it is due.
 * @returns how many addresses were worked on
 * @throws Unauthenticated, Forbidden for every user
 */
export async function publishContent(ctx: PinCtx): Promise<number> {
  authorize(ctx, mayPublishContent);
  for (let done = 0; done < MAX_OF_A_RUN; done += 1) if (!(await workOnPin(ctx))) return done;
  return MAX_OF_A_RUN;
}
