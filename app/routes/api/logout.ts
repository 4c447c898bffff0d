import { redirect } from 'react-router';
import { paths } from '#app/paths.ts';
import { getScope } from '#app/request.ts';
import { signOut } from '#features/accounts/commands/sign-out.ts';
import type { Route } from './+types/logout';

/** Ends the session and goes home (S0 §2). A link here ends nothing: only the form does. */
export async function action({ context }: Route.ActionArgs) {
  const { ctx, sessionId } = getScope(context);
  const { cookies } = await signOut(ctx, { sessionId });
  return redirect(paths.home(), { headers: cookies.map((cookie) => ['set-cookie', cookie] as const) });
}

export const loader = () => redirect(paths.home());
