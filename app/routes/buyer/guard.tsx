import { Outlet } from 'react-router';
import { guard } from '#app/sign-in/guard.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [guard('buyer')];

/** Has nothing to load; with it every navigation in the browser asks the server, and so the guard. */
export const loader = () => null;

export default function BuyerGuard() {
  return <Outlet />;
}
