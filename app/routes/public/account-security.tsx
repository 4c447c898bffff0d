import { data } from 'react-router';
import { signedInScope } from '#app/actions/account.actions.ts';
import { handleSecurityForm } from '#app/actions/account-security.actions.ts';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { pageMeta } from '#app/page-meta.ts';
import { readOrNull } from '#app/read-or.ts';
import { useSite } from '#app/site.ts';
import { homePath, safeNext } from '#features/accounts/rules.ts';
import { AuthenticatorPanel } from '#features/factors/components/authenticator-panel.tsx';
import { PasskeysPanel } from '#features/factors/components/passkeys-panel.tsx';
import { ProofDialog } from '#features/factors/components/proof-dialog.tsx';
import { NewRecoveryCodes, RecoveryCodesPanel } from '#features/factors/components/recovery-codes-panel.tsx';
import { newAuthenticator, ownFactors, passkeyToAdd } from '#features/factors/reads.ts';
import { factorMessages } from '#features/factors/rules.ts';
import { paths } from '#routing/paths.ts';
import { ButtonLink } from '#ui/button.tsx';
import { FailedPanel } from '#ui/failed-panel.tsx';
import { FlashToast } from '#ui/flash-toast.tsx';
import { useFocusInvalid } from '#ui/focus-invalid.ts';
import { Notice } from '#ui/notice.tsx';
import { PageHead } from '#ui/page-head.tsx';
import { useAnswer } from '#ui/use-answer.ts';
import { useShownOnce } from '#ui/use-shown-once.ts';
import type { Route } from './+types/account-security';

export async function loader({ url, context }: Route.LoaderArgs) {
  const { ctx } = signedInScope(context);
  const { actor } = ctx;
  const adds = url.searchParams.get('add') === 'app';
  const [factors, setUp, passkey] = await Promise.all([
    readOrNull(ctx, () => ownFactors(ctx)),
    adds ? newAuthenticator(ctx) : null,
    readOrNull(ctx, () => passkeyToAdd(ctx)),
  ]);
  return data(
    {
      factors,
      setUp,
      passkey,
      mustAdd: actor.kind === 'user' && actor.mustAddFactor,
      next:
        safeNext(url.searchParams.get('next')) ??
        (actor.kind === 'user' ? homePath(actor.role) : paths.home()),
      led: url.searchParams.has('next'),
    },
    factors ? undefined : { status: 503 },
  );
}

export const action = (args: Route.ActionArgs) => handleSecurityForm(args);

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields('name'),
    toast: { title: 'Error', text: factorMessages.failed },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: 'Sign-in security', hidden: true });

/** The second factors of the account: authenticator app, passkeys and recovery codes. */
export default function AccountSecurity({ loaderData, actionData }: Route.ComponentProps) {
  const { factors, setUp, passkey, mustAdd, next, led } = loaderData;
  const answer = useAnswer(actionData);
  const errors = answer?.errors ?? {};
  const codes = useShownOnce(actionData?.recoveryCodes, useSite()?.viewer?.id);
  // The codes go with the last factor.
  const hasCodes = factors === null || factors.recoveryCodes > 0;
  useFocusInvalid(answer?.errors);
  return (
    <>
      <PageHead title="Sign-in security" back={{ href: paths.account(), label: 'Account settings' }}>
        <p className="hint mt-2">
          A second factor protects your account even if your password gets into the wrong hands. You need it
          for every sign-in.
        </p>
      </PageHead>
      {mustAdd && (
        <Notice tone="warn" title="Administrators need a second factor">
          <p>Set up an authenticator app or a passkey to continue.</p>
        </Notice>
      )}
      {codes && (actionData?.recoveryCodes || hasCodes) && <NewRecoveryCodes codes={codes} />}
      {led && !mustAdd && (
        <p className="my-4">
          <ButtonLink to={next}>Continue</ButtonLink>
        </p>
      )}
      {factors ? (
        <div className="columns">
          <AuthenticatorPanel
            authenticator={factors.authenticator}
            setUp={answer?.again ?? setUp}
            error={errors.code}
          />
          <PasskeysPanel passkeys={factors.passkeys} request={passkey} error={errors.passkey} />
          {(factors.authenticator || factors.passkeys.length > 0) && (
            <RecoveryCodesPanel left={factors.recoveryCodes} />
          )}
        </div>
      ) : (
        <FailedPanel title="Your sign-in factors could not be loaded." />
      )}
      <ProofDialog answer={answer} />
      <FlashToast toast={answer?.toast} />
    </>
  );
}
