import { Outlet } from 'react-router';
import { requireRole } from '#app/role-guard.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [requireRole('buyer')];

/** Loads nothing; its presence makes every client-side navigation pass the middleware on the server. */
export const loader = () => null;

export default function BuyerGuard() {
  return <Outlet />;
}
