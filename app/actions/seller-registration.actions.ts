import {
  type ActionArgs,
  invalid,
  type Refusal,
  redirectWithToast,
  runAction,
} from '#app/actions/run-action.ts';
import { signIn } from '#features/accounts/commands/sign-in.ts';
import { accountMessages } from '#features/accounts/rules.ts';
import { registerSeller } from '#features/sellers/commands/register-seller.ts';
import { registrationMessages } from '#features/sellers/rules.ts';
import { paths } from '#routing/paths.ts';
import type { ToastInput } from '#ui/toast.ts';

interface InvitationLink {
  id: string | null;
  token: string | null;
}

/**
 * Registers the seller, who is then signed in and sent to the dashboard; a link without a token leads to the sign-in page until
 * the mailed one is opened.
 */
export const handleRegistration = (args: ActionArgs, link: InvitationLink) =>
  runAction(args, {
    fallback: 'register',
    messages: { title: registrationMessages.failed, failed: `${accountMessages.unexpected}.` },
    intents: {
      async register({ ctx, scope, request, text }): Promise<Response | Refusal> {
        const password = text('password');
        const result = await registerSeller(ctx, {
          ...link,
          name: text('name'),
          email: text('email'),
          password,
          confirm: text('confirm'),
        });
        if (!result.ok) return refusal(result);
        if (!result.proven) return toLogin({ title: accountMessages.signedUp });
        const signedIn = await signIn(ctx, {
          loginRole: 'agent',
          email: result.email,
          password,
          userAgent: request.headers.get('user-agent'),
          cookie: request.headers.get('cookie'),
          currentSessionId: scope.sessionId,
        });
        if (!signedIn.ok) return toLogin(registrationMessages.done);
        const { cookies } = signedIn;
        return redirectWithToast(paths.sellerDashboard(), registrationMessages.done, { cookies });
      },
    },
  });

type Refused = Extract<Awaited<ReturnType<typeof registerSeller>>, { ok: false }>;

function refusal(result: Refused): Response | Refusal {
  switch (result.reason) {
    case 'typed':
      return invalid(result.errors);
    case 'registered':
      return toLogin({ ...registrationMessages.alreadyRegistered, tone: 'info' });
    case 'account_exists':
      return toLogin({ ...registrationMessages.accountExists, tone: 'bad' });
    case 'invalid':
    case 'unknown':
      // The page revalidates and says what is wrong with the link.
      return { ok: false, status: 400, toast: registrationMessages[result.reason] };
  }
}

const toLogin = (toast: ToastInput) => redirectWithToast(paths.sellerLogin(), toast);
