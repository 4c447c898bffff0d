import { data, redirect } from 'react-router';
import { getCtx } from '#app/request.ts';
import { loginPath } from '#features/accounts/rules.ts';
import type { Role } from '#platform/context.ts';

interface GuardArgs {
  request: Request;
  url: URL;
  context: Parameters<typeof getCtx>[0];
}

/**
 * Lets only one role through to the pages behind a layout (S0 §2, S1 §2). Nobody signed in: to the sign-in page, and
 * back afterwards. Another role: buyers' pages lead to their sign-in page with a notice (B-012); the others are not for
 * this account: nothing of them runs on a write, and a read is refused by `refuseOtherRoles`, which leaves the frame.
 * Where the pages' own reads and commands authorise too, this is the first of two locks.
 */
export function guard(role: Role) {
  return async ({ request, url, context }: GuardArgs, next: () => Promise<unknown>) => {
    const { actor } = getCtx(context);
    const mine = actor.kind === 'user' && actor.role === role;
    if (actor.kind !== 'user' || (!mine && role === 'buyer')) {
      const reading = request.method === 'GET' || request.method === 'HEAD';
      throw redirect(loginPath(role, { next: reading ? url.pathname + url.search : url.pathname }));
    }
    if (!mine && request.method !== 'GET' && request.method !== 'HEAD') throw notAvailable();
    return (await next()) as Response;
  };
}

/** For the layout's loader: with another role nothing of the page is rendered, and the frame stays (B-011). */
export function refuseOtherRoles(role: Role, context: GuardArgs['context']): void {
  const { actor } = getCtx(context);
  if (actor.kind !== 'user' || actor.role !== role) throw notAvailable();
}

const notAvailable = () => data(null, { status: 403, statusText: 'Forbidden' });
