import { setTimeout as pause } from 'node:timers/promises';
import { Suspense } from 'react';
import { Await, redirect } from 'react-router';
import { preserveInput, textFields } from '#app/actions/preserve-input.ts';
import { handleRegistration } from '#app/actions/seller-registration.actions.ts';
import { setFlash } from '#app/flash.ts';
import { pageMeta } from '#app/page-meta.ts';
import { getCtx } from '#app/request.ts';
import {
  InvalidLink,
  RegistrationForm,
  VerifyingLink,
} from '#app/routes/agent/register/registration-page.tsx';
import { accountMessages } from '#features/accounts/rules.ts';
import type { RegistrationState } from '#features/sellers/model.ts';
import { registrationState } from '#features/sellers/reads.ts';
import { registrationMessages } from '#features/sellers/rules.ts';
import { paths } from '#routing/paths.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import type { Route } from './+types/register';

/** When the check takes longer than this, the page is sent with a loading message first. */
const INLINE_WAIT_MS = 200;

const linkOf = (url: URL) => ({ id: url.searchParams.get('id'), token: url.searchParams.get('token') });

/** Checks the invitation link; sellers who are already registered are redirected to the sign-in page. */
export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const checking = registrationState(ctx, linkOf(url)).catch((error: unknown): RegistrationState => {
    ctx.log.error({ err: error }, 'a registration link could not be checked');
    return { state: 'fault' };
  });
  const checked = await Promise.race([checking, pause(INLINE_WAIT_MS, null)]);
  if (checked?.state === 'registered')
    throw redirect(paths.sellerLogin(), toast(registrationMessages.alreadyRegistered));
  return { checked, checking: checked ? null : checking };
}

const toast = (message: { title: string; text: string }) => ({
  headers: { 'set-cookie': setFlash({ ...message, tone: 'info' }) },
});

export const action = (args: Route.ActionArgs) => handleRegistration(args, linkOf(args.url));

export const clientAction = (args: Route.ClientActionArgs) =>
  preserveInput(args, {
    inputOf: textFields(),
    toast: { title: registrationMessages.failed, text: `${accountMessages.unexpected}.` },
    refusalsLeave: true,
  });

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: registrationMessages.title, hidden: true });

/** Where an invited seller creates the account. */
export default function Register({ loaderData: { checked, checking }, actionData }: Route.ComponentProps) {
  const show = (found: RegistrationState) =>
    found.state === 'ready' ? (
      <RegistrationForm invited={found.proven ? found : null} answer={actionData} />
    ) : (
      <InvalidLink state={found.state} />
    );
  return (
    <>
      {/* One place for both, so that the form stays, with what is typed, when a later check is faster or slower than the first. */}
      <Suspense fallback={<VerifyingLink />}>
        <Await resolve={checked ?? checking}>{(found) => found && show(found)}</Await>
      </Suspense>
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
