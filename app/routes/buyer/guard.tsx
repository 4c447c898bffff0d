import { Outlet } from 'react-router';
import { useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { getCtx } from '#app/request.ts';
import { requireRole } from '#app/role-guard.ts';
import { SuspendedBuyerNotice } from '#features/buyers/components/suspended-buyer-notice.tsx';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [requireRole('buyer')];

/** Its presence also makes every client-side navigation pass the middleware on the server. */
export function loader({ context }: Route.LoaderArgs) {
  const { actor } = getCtx(context);
  return { suspended: actor.kind === 'user' && actor.suspended };
}

export default function BuyerGuard({ loaderData }: Route.ComponentProps) {
  const revalidate = useRevalidate();
  useLiveEvents(({ type }) => {
    if (type === 'account') void revalidate();
  });
  return (
    <>
      {loaderData.suspended && <SuspendedBuyerNotice />}
      <Outlet />
    </>
  );
}
