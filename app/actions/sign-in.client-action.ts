import { accountMessages, type LoginRole, signInFailedTitle } from '#features/accounts/rules.ts';
import { preserveInput, textFields } from './preserve-input.ts';

interface Args<T> {
  request: Request;
  serverAction: () => Promise<T>;
}

/** The client action of a sign-in page: the address stays when a form cannot be sent. */
export const keepSignInInput = <T>(loginRole: LoginRole, args: Args<T>) =>
  preserveInput(args, {
    inputOf: textFields('email'),
    toast: (intent) => ({ title: signInFailedTitle(loginRole, intent), text: accountMessages.unexpected }),
    refusalsLeave: true,
  });
