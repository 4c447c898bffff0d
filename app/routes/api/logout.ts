import { redirect } from 'react-router';
import { getScope } from '#app/request.ts';
import { signOut } from '#features/accounts/commands/sign-out.ts';
import { paths } from '#routing/paths.ts';
import type { Route } from './+types/logout';

/** Ends the session and redirects home. Only a POST does so: a GET just redirects. */
export async function action({ context }: Route.ActionArgs) {
  const { ctx, sessionId } = getScope(context);
  const { cookies } = await signOut(ctx, { sessionId });
  return redirect(paths.home(), { headers: cookies.map((cookie) => ['set-cookie', cookie] as const) });
}

export const loader = () => redirect(paths.home());
