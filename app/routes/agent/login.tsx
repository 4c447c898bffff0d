import { handleSignInForm, loadSignIn } from '#app/actions/sign-in.actions.ts';
import { keepSignInInput } from '#app/actions/sign-in.client-action.ts';
import { pageMeta } from '#app/page-meta.ts';
import { SignInPage } from '#app/pages/sign-in/sign-in-page.tsx';
import type { Route } from './+types/login';

export const loader = (args: Route.LoaderArgs) => loadSignIn('agent', args);

export const action = (args: Route.ActionArgs) => handleSignInForm('agent', args);

export const clientAction = (args: Route.ClientActionArgs) => keepSignInInput('agent', args);

export const meta: Route.MetaFunction = ({ loaderData, matches }) =>
  pageMeta(matches, { title: loaderData?.forgot ? 'Reset Password' : 'Seller Login', hidden: true });

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  return <SignInPage page={loaderData} answer={actionData} />;
}
