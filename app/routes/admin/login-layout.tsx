import { Outlet } from 'react-router';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';

/** The layout of the administrators' sign-in page, which hides the public navigation. */
export default function AdminLoginLayout() {
  const site = useSite();
  return (
    <BareShell brand={site?.brand ?? DEFAULT_BRAND}>
      <Outlet />
    </BareShell>
  );
}
