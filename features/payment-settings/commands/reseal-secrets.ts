import { openSecret, type SealedSecret, sealSecret } from '#gateways/payments/stripe/key-sets.ts';
import { authorize } from '#platform/access.ts';
import { resealAuthenticators } from '#platform/auth/factors/authenticator.ts';
import { sealKeyId } from '#platform/auth/seal.ts';
import type { Ctx } from '#platform/context.ts';
import { mayReseal } from '../rules.ts';
import { auditedKeys, auditKeys, lockedConnection, savedKeySets } from '../stripe-store.ts';

interface ResealResult {
  keySets: number;
  authenticators: number;
  /** in words: what neither the present nor the former secret opens */
  unreadable: string[];
}

/** The columns of a row that are sealed, and what each holds. */
const SEALED = [
  ['secret_sealed', 'key'],
  ['endpoint_sealed', 'endpoint'],
  ['former_endpoint_sealed', 'former endpoint'],
] as const satisfies readonly (readonly [string, SealedSecret])[];

/**
 * Seals everything that is stored encrypted with the present `APP_SECRET`, so that `APP_SECRET_PREVIOUS` is no longer needed. What is
 * sealed with it already stays, so repeating it is harmless. Servers go on while it runs.
 * @throws Forbidden for everyone but the command line
 */
export async function resealSecrets(ctx: Ctx): Promise<ResealResult> {
  authorize(ctx, mayReseal);
  return ctx.db.tx(async () => {
    await lockedConnection(ctx);
    const present = { secret: ctx.config.secret, previousSecret: undefined };
    const unreadable: string[] = [];
    let keySets = 0;
    for (const set of await savedKeySets(ctx)) {
      const name = `the ${set.livemode ? 'live' : 'test'} keys of ${set.account_ref} at Stripe`;
      const former = SEALED.filter(
        ([column, what]) => set[column] !== null && openSecret(present, set.id, what, set[column]) === null,
      );
      const opened = former.map(
        ([column, what]) => [column, what, openSecret(ctx.config, set.id, what, set[column])] as const,
      );
      if (opened.some(([, , text]) => text === null)) unreadable.push(name);
      else if (former.length > 0 || set.seal_key_id !== sealKeyId(ctx.config)) {
        const columns = Object.fromEntries(
          opened.map(([column, what, text]) => [column, sealSecret(ctx.config, set.id, what, text ?? '')]),
        );
        await ctx.db
          .q()
          .updateTable('stripe_key_sets')
          .set({ ...columns, seal_key_id: sealKeyId(ctx.config) })
          .where('id', '=', set.id)
          .execute();
        const state = auditedKeys(set);
        await auditKeys(ctx, { action: 'stripe.reseal_keys', id: set.id, before: state, after: state });
        keySets += 1;
      }
    }
    const authenticators = await resealAuthenticators(ctx);
    return {
      keySets,
      authenticators: authenticators.resealed,
      unreadable: [
        ...unreadable,
        ...authenticators.unreadable.map((id) => `the authenticator app of user ${id}`),
      ],
    };
  });
}
