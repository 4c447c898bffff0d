import { redirect } from 'react-router';
import { setFlash } from '#app/flash.ts';
import { formOf } from '#app/form.ts';
import { paths } from '#app/paths.ts';
import { getCtx, getScope } from '#app/request.ts';
import { requestPasswordReset } from '#features/accounts/commands/request-password-reset.ts';
import { resendVerification } from '#features/accounts/commands/resend-verification.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { demoAccountsFor } from '#features/accounts/model.ts';
import { viewerOf } from '#features/accounts/reads.ts';
import {
  type Door,
  homeOf,
  loginPath,
  parseIntent,
  resetFailedTitle,
  resetMailedWords,
  safeNext,
  texts,
} from '#features/accounts/rules.ts';
import { setWatch } from '#features/watches/commands/set-watch.ts';
import { WATCH_FAILED } from '#features/watches/rules.ts';
import type { Ctx } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import type { ToastInput } from '#ui/toast.ts';
import { answering, type FormAnswer, refuse, typedText } from './answer.ts';
import { resetCookie } from './reset-cookie.ts';

interface RouteArgs {
  request: Request;
  url: URL;
  context: Parameters<typeof getCtx>[0];
}

/** Where someone was going and what they wanted to do there, as the sign-in page was told. */
function purposeOf(url: URL) {
  const raw = url.searchParams.get('intent');
  return { next: safeNext(url.searchParams.get('next')), intent: parseIntent(raw) ? raw : null };
}

/** Shows a sign-in page, or leads on who is signed in with its role already (S0 §2, B-010). */
export function loadDoor(door: Door, { url, context }: RouteArgs) {
  const ctx = getCtx(context);
  const viewer = viewerOf(ctx);
  const { next, intent } = purposeOf(url);
  if (viewer?.role === door) throw redirect(next ?? homeOf(door));
  const query = { next: next ?? undefined, intent: intent ?? undefined };
  return {
    door,
    viewer: viewer && { email: viewer.email, role: viewer.role },
    forgot: url.searchParams.has('forgot'),
    here: loginPath(door, query),
    forgotPath: loginPath(door, { ...query, forgot: 1 }),
    signupPath: paths.buyerSignup({ next: next ?? undefined }),
    demoAccounts: demoAccountsFor(door, ctx.config.demo),
  };
}

/** Answers the forms of a sign-in page: sign in, mail a reset link, mail the confirmation again. */
export async function answerDoor(door: Door, args: RouteArgs) {
  const form = await formOf(args.request);
  const wish = typedText(form, 'form');
  if (wish === 'forgot') return mailReset(door, args, form);
  return wish === 'resend' ? mailAgain(args, form) : enter(door, args, form);
}

async function enter(door: Door, { request, url, context }: RouteArgs, form: FormData) {
  const { ctx, sessionId } = getScope(context);
  const email = typedText(form, 'email');
  const answer: FormAnswer = { form: 'sign-in', email };
  return answering(ctx, { answer, title: texts.loginFailed, unexpected: texts.unexpected }, async () => {
    const result = await signIn(ctx, {
      door,
      email,
      password: typedText(form, 'password'),
      userAgent: request.headers.get('user-agent'),
      currentSessionId: sessionId,
    });
    if (result.ok) return welcome(door, url, { ...ctx, actor: result.actor }, result.cookies);
    switch (result.reason) {
      case 'invalid':
        return refuse({ ...answer, errors: result.errors });
      case 'wrong_credentials':
        return refuse({ ...answer, ...failed(texts.wrongCredentials) }, 401);
      case 'email_not_confirmed':
        return refuse({ ...answer, toast: failed(texts.emailNotConfirmed).toast, resend: true }, 403);
      case 'wrong_door':
        // Whoever was signed in is not any more, so the whole page is read again.
        return redirect(loginPath(door, { next: purposeOf(url).next ?? undefined }), {
          headers: cookies(...result.cookies, setFlash({ ...failed(result.message).toast, tone: 'bad' })),
        });
      case 'must_change_password':
        return redirect(paths.resetPassword(), {
          headers: cookies(...result.cookies, resetCookie(ctx.config, result.token)),
        });
    }
  });
}

const failed = (text: string) => ({
  errors: { password: text },
  toast: { title: texts.loginFailed, text } satisfies ToastInput,
});

/** Goes on to where the person was going and does what they had wanted to do there (B-026). */
async function welcome(door: Door, url: URL, ctx: Ctx, session: string[]) {
  const { next, intent: raw } = purposeOf(url);
  const intent = parseIntent(raw);
  let toast: ToastInput | null = door === 'admin' ? texts.welcomeAdmin : null;
  if (intent?.kind === 'watch') {
    try {
      await setWatch(ctx, { propertyId: intent.propertyId, watched: true });
    } catch (error) {
      if (!(error instanceof AppError))
        ctx.log.error({ err: error }, 'the wish to watch could not be carried out');
      toast = { title: 'Error', text: WATCH_FAILED, tone: 'bad' };
    }
  }
  return redirect(next ?? (intent ? paths.property(intent.propertyId) : homeOf(door)), {
    headers: cookies(...session, ...(toast ? [setFlash(toast)] : [])),
  });
}

async function mailReset(door: Door, { url, context }: RouteArgs, form: FormData) {
  const ctx = getCtx(context);
  const email = typedText(form, 'email');
  const answer: FormAnswer = { form: 'forgot', email };
  const title = resetFailedTitle(door);
  return answering(ctx, { answer, title, unexpected: texts.unexpected }, async () => {
    const result = await requestPasswordReset(ctx, { email });
    if (!result.ok) return refuse({ ...answer, errors: result.errors });
    const { next, intent } = purposeOf(url);
    return redirect(loginPath(door, { next: next ?? undefined, intent: intent ?? undefined }), {
      headers: cookies(setFlash(resetMailedWords(door))),
    });
  });
}

async function mailAgain({ url, context }: RouteArgs, form: FormData) {
  const ctx = getCtx(context);
  const email = typedText(form, 'email');
  const answer: FormAnswer = { form: 'sign-in', email, resend: true };
  return answering(ctx, { answer, title: 'Error', unexpected: texts.unexpected }, async () => {
    const result = await resendVerification(ctx, { email, next: purposeOf(url).next });
    if (!result.ok) return refuse({ ...answer, errors: result.errors });
    return { ...answer, toast: { title: texts.signedUp } } satisfies FormAnswer;
  });
}

function cookies(...values: string[]): Headers {
  const headers = new Headers();
  for (const value of values) headers.append('set-cookie', value);
  return headers;
}
