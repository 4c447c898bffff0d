import { data, Outlet } from 'react-router';
import { getCtx } from '#app/request.ts';
import type { Route } from './+types/guard';

/** The pages for makers exist in the demo and in development only. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context }) => {
    const { config } = getCtx(context);
    if (config.production && !config.demo) throw data(null, { status: 404, statusText: 'Page Not Found' });
  },
];

// Without a loader a navigation in the browser would not ask the server, and so not pass the middleware.
export const loader = () => null;

export default function DevGuard() {
  return <Outlet />;
}
