import { seal, unseal } from '#platform/auth/seal.ts';
import type { Ctx } from '#platform/context.ts';
import { HOUR } from '#platform/durations.ts';

const PURPOSE = 'authenticator set-up';

interface SetUp {
  userId: string;
  secret: string;
  /** milliseconds since 1970 */
  at: number;
}

/** The secret of an authenticator app that is being set up, as its form carries it; the database has it when a code proves it. */
export const sealSetUp = (ctx: Ctx, userId: string, secret: string): string => {
  const setUp: SetUp = { userId, secret, at: ctx.now().getTime() };
  return seal(ctx.config, PURPOSE, JSON.stringify(setUp));
};

/** The secret that a user is setting up; null for a set-up of more than an hour ago, of somebody else, or made up. */
export function secretOfSetUp(ctx: Ctx, userId: string, sealed: string): string | null {
  const text = unseal(ctx.config, PURPOSE, sealed);
  const setUp = text === null ? null : (JSON.parse(text) as SetUp);
  if (!setUp || setUp.userId !== userId || ctx.now().getTime() - setUp.at > HOUR) return null;
  return setUp.secret;
}
