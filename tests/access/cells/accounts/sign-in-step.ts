import { expect } from 'vitest';
import { finishSignIn } from '#features/accounts/commands/finish-sign-in.ts';
import { signInWithPasskey } from '#features/accounts/commands/sign-in-with-passkey.ts';
import { signInStepChoices } from '#features/accounts/reads.ts';
import { findAccount } from '#features/accounts/sign-in-account.ts';
import { sealStep } from '#features/accounts/sign-in-step.ts';
import { storedSecret } from '#platform/auth/factors/authenticator.ts';
import { codeAt, newSecret, stepAt } from '#platform/auth/factors/totp.ts';
import { createUserWithPassword } from '../../support/credentials.ts';
import { type Cells, operation } from '../../support/operation.ts';
import type { Scenario } from '../../support/scenario.ts';
import { sameForAll } from '../../support/table-rows.ts';

/** Somebody who has entered the right password and has an authenticator app. */
async function betweenSteps(scenario: Scenario, row: string) {
  const person = await createUserWithPassword(scenario, 'buyer');
  const ctx = scenario.ctx('anonymous');
  const secret = newSecret();
  const account = await findAccount(ctx, 'id', person.id);
  if (!account) throw new Error('no account');
  await scenario.db
    .q()
    .insertInto('authenticators')
    .values({ user_id: person.id, secret: storedSecret(ctx, secret), last_step: 0 })
    .execute();
  await scenario.db.q().deleteFrom('rate_limits').execute();
  const code = codeAt(secret, stepAt(ctx.now()));
  return {
    person,
    step: row === 'made up' ? 'made up' : sealStep(ctx, account, 'buyer'),
    code: row === 'wrong code' ? 'abcdef' : code,
  };
}

const sessionsOf = async ({ db }: Scenario, userId: string) =>
  (await db.q().selectFrom('sessions').select('id').where('user_id', '=', userId).execute()).length;

export const cells: Cells = {
  // What the first step left decides who is signed in, not the present session.
  'commands/finish-sign-in#finishSignIn': operation({
    cells: sameForAll(['right code', 'allowed'], ['wrong code', 'wrong'], ['made up', 'expired']),
    prepare: ({ scenario, row }) => betweenSteps(scenario, row),
    act: (ctx, { step, code }) => finishSignIn(ctx, { step, code, userAgent: null, currentSessionId: null }),
    async verify(_, { person }, { scenario, outcome }) {
      expect(await sessionsOf(scenario, person.id)).toBe(outcome === 'allowed' ? 1 : 0);
    },
  }),

  'commands/sign-in-with-passkey#signInWithPasskey': operation({
    cells: sameForAll(['made up', 'wrong']),
    async prepare({ scenario }) {
      await scenario.db.q().deleteFrom('rate_limits').execute();
    },
    act: (ctx) =>
      signInWithPasskey(ctx, {
        loginRole: 'admin',
        passkey: JSON.stringify({ id: 'made up', response: {} }),
        userAgent: null,
        currentSessionId: null,
      }),
    mayChange: () => false,
  }),

  'reads#signInStepChoices': operation({
    cells: sameForAll(['right password', 'code'], ['made up', 'passkey alone']),
    prepare: ({ scenario, row }) => betweenSteps(scenario, row),
    act: (ctx, { step }) => signInStepChoices(ctx, step),
    outcomeOf: ({ step, passkey }) => (step?.code && !passkey ? 'code' : 'passkey alone'),
    mayChange: () => false,
  }),
};
