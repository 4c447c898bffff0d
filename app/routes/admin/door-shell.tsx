import { Outlet } from 'react-router';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { useSite } from '#app/site.ts';
import { DEFAULT_BRAND } from '#features/settings/model.ts';

/** The frame of the administrators' sign-in page: the public navigation is hidden there (S0 §2). */
export default function AdminDoorShell() {
  const site = useSite();
  return (
    <BareShell brand={site?.brand ?? DEFAULT_BRAND}>
      <Outlet />
    </BareShell>
  );
}
