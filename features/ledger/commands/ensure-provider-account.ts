import { authorize } from '#platform/access.ts';
import type { Ctx } from '#platform/context.ts';
import { mayPost } from '../rules.ts';

interface ProviderAccountInput {
  provider: string;
  livemode: boolean;
  /** the provider's id of our account */
  account: string;
}

/**
 * The row of an account at a provider, made when it is named for the first time. Payments from before accounts were recorded
 * belong to a row without a name, which takes the first name given.
 * @returns its id
 * @throws Unauthenticated, Forbidden for every user
 */
export async function ensureProviderAccount(
  ctx: Ctx,
  { provider, livemode, account }: ProviderAccountInput,
): Promise<string> {
  authorize(ctx, mayPost);
  const q = ctx.db.q();
  const of = { provider, livemode, account_ref: account };
  const named = () =>
    q
      .selectFrom('provider_accounts')
      .select('id')
      .where('provider', '=', provider)
      .where('livemode', '=', livemode)
      .where('account_ref', '=', account);
  const known = await named().executeTakeFirst();
  if (known) return known.id;
  const filled = await q
    .updateTable('provider_accounts')
    .set({ account_ref: account })
    .where('provider', '=', provider)
    .where('livemode', '=', livemode)
    .where('account_ref', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (filled) return filled.id;
  await q
    .insertInto('provider_accounts')
    .values({ ...of, created_at: ctx.now() })
    .onConflict((conflict) => conflict.columns(['provider', 'livemode', 'account_ref']).doNothing())
    .execute();
  return (await named().executeTakeFirstOrThrow()).id;
}
