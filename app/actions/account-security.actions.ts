import {
  type ActionArgs,
  conflict,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
  type Stay,
  type Submission,
} from '#app/actions/run-action.ts';
import type { AddFactorResult } from '#features/factors/commands/add-authenticator.ts';
import { addAuthenticator } from '#features/factors/commands/add-authenticator.ts';
import { addPasskey } from '#features/factors/commands/add-passkey.ts';
import { removePasskey, renamePasskey } from '#features/factors/commands/change-passkey.ts';
import {
  type RemoveFactorResult,
  removeAuthenticator,
} from '#features/factors/commands/remove-authenticator.ts';
import { renewRecoveryCodes } from '#features/factors/commands/renew-recovery-codes.ts';
import { type AuthenticatorSetUp, authenticatorAgain } from '#features/factors/reads.ts';
import { factorMessages } from '#features/factors/rules.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';
import { signedInScope } from './account.actions.ts';

/** What the page shows once, or once more. */
interface SecurityExtra {
  recoveryCodes?: string[];
  /** the set-up that is still under way */
  again?: AuthenticatorSetUp;
}

/** Handles the forms of the page of second factors. */
export async function handleSecurityForm(args: ActionArgs) {
  signedInScope(args.context);
  return runAction<SecurityExtra>(args, {
    intents: {
      'add-app': addApp,
      'remove-app': async ({ ctx }) => removed(await removeAuthenticator(ctx), 'Authenticator app removed'),
      'add-passkey': async ({ ctx, text }) =>
        added(
          await addPasskey(ctx, { passkey: text('passkey'), name: text('name') }),
          'Passkey added',
          'passkey',
        ),
      'remove-passkey': async ({ ctx, text }) =>
        removed(await removePasskey(ctx, { passkeyId: text('id') }), 'Passkey removed'),
      'rename-passkey': rename,
      codes: renew,
    },
    messages: { failed: factorMessages.failed },
  });
}

type Answer = Promise<Response | Stay<SecurityExtra> | Refusal<SecurityExtra>>;

const done = (title: string, text?: string) =>
  redirectWithToast(signInPaths.security(), { title, ...(text && { text }) });

async function addApp({ ctx, text }: Submission): Answer {
  const setUp = text('setUp');
  const result = await addAuthenticator(ctx, { setUp, code: text('code') });
  const answer = added(result, 'Authenticator app added', 'code');
  const again = result.ok ? null : await authenticatorAgain(ctx, setUp);
  return again && !(answer instanceof Response) ? { ...answer, extra: { again } } : answer;
}

/** The first factor comes with recovery codes, which the page shows at once. */
function added(result: AddFactorResult, title: string, field: string) {
  if (!result.ok) return invalid({ [field]: result.error });
  if (!result.recoveryCodes) return done(title);
  return { ok: true as const, toast: { title }, extra: { recoveryCodes: result.recoveryCodes } };
}

function removed(result: RemoveFactorResult, title: string) {
  if (result.ok) return done(title);
  return conflict(result.reason === 'gone' ? factorMessages.gone : factorMessages.lastFactor);
}

async function rename({ ctx, text }: Submission): Answer {
  const found = await renamePasskey(ctx, { passkeyId: text('id'), name: text('name') });
  return found ? done('Passkey renamed') : conflict(factorMessages.gone);
}

async function renew({ ctx }: Submission): Answer {
  const codes = await renewRecoveryCodes(ctx);
  if (!codes) return conflict(factorMessages.gone);
  const toast = { title: 'New recovery codes', text: 'The earlier ones no longer work.' };
  return { ok: true, toast, extra: { recoveryCodes: codes } };
}
