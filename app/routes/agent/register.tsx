import { setTimeout as pause } from 'node:timers/promises';
import { Suspense } from 'react';
import { Await, redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { pageMeta } from '#app/page-meta.ts';
import { paths } from '#app/paths.ts';
import { getCtx, getScope } from '#app/request.ts';
import { answerRegistration } from '#app/sellers/registration-door.ts';
import { InvalidLink, RegistrationForm, VerifyingSeller } from '#app/sellers/registration-page.tsx';
import type { Registration } from '#features/sellers/model.ts';
import { registrationOf } from '#features/sellers/reads.ts';
import { registration } from '#features/sellers/rules.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import type { Route } from './+types/register';

/** A check that takes longer is waited for in the page, which says so (S0 §2). */
const PATIENCE_MS = 200;

const linkOf = (url: URL) => ({ id: url.searchParams.get('id'), token: url.searchParams.get('token') });

/** Checks the link; whoever is registered already goes on to the sign-in page (S0 §8). */
export async function loader({ url, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const checking = registrationOf(ctx, linkOf(url)).catch((error: unknown): Registration => {
    ctx.log.error({ err: error }, 'a registration link could not be checked');
    return { state: 'fault' };
  });
  const checked = await Promise.race([checking, pause(PATIENCE_MS, null)]);
  if (checked?.state === 'registered')
    throw redirect(paths.agentLogin(), toast(registration.alreadyRegistered));
  return { checked, checking: checked ? null : checking };
}

const toast = (words: { title: string; text: string }) => ({
  headers: { 'set-cookie': setFlash({ ...words, tone: 'info' }) },
});

export async function action({ request, url, context }: Route.ActionArgs) {
  const { ctx, sessionId } = getScope(context);
  const userAgent = request.headers.get('user-agent');
  return answerRegistration(ctx, { link: linkOf(url), form: await formOf(request), userAgent, sessionId });
}

export const meta: Route.MetaFunction = ({ matches }) =>
  pageMeta(matches, { title: registration.title, hidden: true });

/** Where an invited seller opens the account (S0 §2 'Seller registration', B-095). */
export default function Register({ loaderData: { checked, checking }, actionData }: Route.ComponentProps) {
  const show = (found: Registration) =>
    found.state === 'ready' ? (
      <RegistrationForm name={found.name} email={found.email} answer={actionData} />
    ) : (
      <InvalidLink state={found.state} />
    );
  return (
    <>
      {checked ? (
        show(checked)
      ) : (
        <Suspense fallback={<VerifyingSeller />}>
          <Await resolve={checking}>{(found) => found && show(found)}</Await>
        </Suspense>
      )}
      <FlashToast toast={actionData?.toast} />
    </>
  );
}
