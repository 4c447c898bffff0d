import { data, redirect } from 'react-router';
import { getCtx } from '#app/request.ts';
import { loginPath } from '#features/accounts/rules.ts';
import type { Role } from '#platform/context.ts';
import { signInPaths } from '#routing/sign-in-paths.ts';

interface GuardArgs {
  request: Request;
  url: URL;
  context: Parameters<typeof getCtx>[0];
}

/**
 * Middleware that lets only one role through to the pages of a layout. Visitors go to the sign-in page and come back
 * afterwards, administrators without a second factor to where they set one up. For other roles the buyers' pages redirect
 * to their sign-in page with a notice; the others refuse writes here and reads in the layout's loader, which leaves the
 * layout in place. Reads and commands authorise as well; this is the first of two checks.
 */
export function requireRole(role: Role) {
  return async ({ request, url, context }: GuardArgs, next: () => Promise<unknown>) => {
    const { actor } = getCtx(context);
    const hasRole = actor.kind === 'user' && actor.role === role;
    if (actor.kind !== 'user' || (!hasRole && role === 'buyer')) {
      const reading = request.method === 'GET' || request.method === 'HEAD';
      throw redirect(loginPath(role, { next: reading ? url.pathname + url.search : url.pathname }));
    }
    if (hasRole && actor.mustAddFactor) throw redirect(signInPaths.security({ next: url.pathname }));
    if (!hasRole && request.method !== 'GET' && request.method !== 'HEAD') throw notAvailable();
    return (await next()) as Response;
  };
}

/** For a layout's loader whose own reads are open to other roles: nothing of the page is rendered then, but the layout stays. */
export function refuseOtherRoles(role: Role, context: GuardArgs['context']): void {
  const { actor } = getCtx(context);
  const own = actor.kind === 'user' ? actor.role : null;
  if (own !== role) throw notAvailable();
}

const notAvailable = () => data(null, { status: 403, statusText: 'Forbidden' });
