import { data, Outlet } from 'react-router';
import { getCtx } from '#app/request.ts';
import type { Route } from './+types/guard';

/** The developer pages exist only where a demo or development is tried out, never at an https address. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const { config } = getCtx(context);
    if (!config.developerPages) throw data(null, { status: 404, statusText: 'Page Not Found' });
  },
];

// Without a loader, client-side navigations would not pass the middleware on the server.
export const loader = () => null;

export default function DevGuard() {
  return <Outlet />;
}
