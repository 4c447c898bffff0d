import { seal, unseal } from '#platform/auth/seal.ts';
import type { Ctx } from '#platform/context.ts';
import { MINUTE } from '#platform/durations.ts';
import type { LoginRole } from './rules.ts';
import { passwordMark, type SignInAccount } from './sign-in-account.ts';

const PURPOSE = 'sign-in step';
/** How long the second step may take after the right password. */
const STEP_LASTS_MS = 10 * MINUTE;

/** The right password was entered, and the second factor is still missing. */
export interface SignInStep {
  userId: string;
  loginRole: LoginRole;
  /** of the password that was entered: a new one ends the step */
  mark: string;
  /** milliseconds since 1970 */
  at: number;
}

/** What the browser keeps between the two steps. It opens nothing without the second factor. */
export function sealStep(ctx: Ctx, account: SignInAccount, loginRole: LoginRole): string {
  const step: SignInStep = {
    userId: account.id,
    loginRole,
    mark: passwordMark(account),
    at: ctx.now().getTime(),
  };
  return seal(ctx.config, PURPOSE, JSON.stringify(step));
}

/** The step that a browser is in; null for one that is too old, or not ours. */
export function openStep(ctx: Ctx, sealed: string): SignInStep | null {
  const text = unseal(ctx.config, PURPOSE, sealed);
  const step = text === null ? null : (JSON.parse(text) as SignInStep);
  return step && ctx.now().getTime() - step.at < STEP_LASTS_MS ? step : null;
}
