import type { ReactNode } from 'react';
import { Outlet } from 'react-router';
import { readOr } from '#app/read-or.ts';
import { getCtx } from '#app/request.ts';
import { NO_WORK } from '#app/shell/admin-rows.ts';
import { AreaError } from '#app/shell/area-error.tsx';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { sidebarCollapsed } from '#app/shell/sidebar-cookie.ts';
import { useSite } from '#app/site.ts';
import type { WaitingWork } from '#features/overview/model.ts';
import { waitingWork } from '#features/overview/reads.ts';
import { maySeeWork } from '#features/overview/rules.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import type { Route } from './+types/unknown-layout';
import { AdminFrame } from './frame.tsx';

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  return {
    collapsed: sidebarCollapsed(request.headers.get('cookie')),
    work: maySeeWork(ctx.actor) ? await readOr(ctx, NO_WORK, () => waitingWork(ctx)) : NO_WORK,
  };
}

/** The layout of unknown admin pages: the sidebar for administrators, no navigation for everybody else. */
export default function UnknownAdminPage({ loaderData }: Route.ComponentProps) {
  return (
    <Frame {...loaderData}>
      <Outlet />
    </Frame>
  );
}

interface FrameProps {
  collapsed?: boolean;
  work?: WaitingWork;
  children: ReactNode;
}

function Frame({ children, ...shell }: FrameProps) {
  const site = useSite();
  if (site?.viewer?.role === 'admin') return <AdminFrame {...shell}>{children}</AdminFrame>;
  return <BareShell brand={site?.brand ?? DEFAULT_BRAND}>{children}</BareShell>;
}

export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  return (
    <Frame {...loaderData}>
      <AreaError error={error} />
    </Frame>
  );
}
