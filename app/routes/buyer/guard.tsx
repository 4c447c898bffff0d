import { Outlet } from 'react-router';
import { useLiveEvents } from '#app/live/live-events.ts';
import { useRevalidate } from '#app/live/revalidate.ts';
import { readOr } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { requireRole } from '#app/role-guard.ts';
import { SuspendedBuyerNotice } from '#features/buyers/components/suspended-buyer-notice.tsx';
import { NoticeList } from '#features/notices/components/notice-list.tsx';
import { openNotices } from '#features/notices/reads.ts';
import type { Route } from './+types/guard';

export const middleware: Route.MiddlewareFunction[] = [requireRole('buyer')];

/** Its presence also makes every client-side navigation pass the middleware on the server. */
export async function loader({ context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { actor } = ctx;
  return {
    suspended: actor.kind === 'user' && actor.suspended,
    notices: await readOr(ctx, [], () => openNotices(ctx)),
  };
}

export default function BuyerGuard({ loaderData }: Route.ComponentProps) {
  const revalidate = useRevalidate();
  useLiveEvents(({ type }) => {
    if (type === 'account') void revalidate();
  });
  return (
    <>
      {loaderData.suspended && <SuspendedBuyerNotice />}
      <NoticeList notices={loaderData.notices} />
      <Outlet />
    </>
  );
}
