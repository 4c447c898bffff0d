import { useSearchParams } from 'react-router';
import { adminRows } from '#app/shell/admin-rows.ts';
import { AdminShell } from '#app/shell/admin-shell.tsx';
import { BareShell } from '#app/shell/bare-shell.tsx';
import { PublicShell } from '#app/shell/public-shell.tsx';
import { SellerShell } from '#app/shell/seller-shell.tsx';
import { NOTHING_UNREAD } from '#features/bell/rules.ts';
import { AdminPage, ErrorView, NotFoundView, SellerPage, SignInView } from './gallery/area-pages.tsx';
import { gallery } from './gallery/samples.ts';
import { States } from './gallery/states.tsx';

export function meta() {
  return [{ title: `Components · ${gallery.brand}` }, { name: 'robots', content: 'noindex' }];
}

/** Every component and every state, and the shells around them by `?view=`; in demo and development only. */
export default function Gallery() {
  const [query] = useSearchParams();
  const { brand, types, viewers } = gallery;
  const visitorProps = { brand, types, viewer: null, unread: NOTHING_UNREAD };
  switch (query.get('view')) {
    case 'seller':
      return (
        <SellerShell
          brand={brand}
          types={types}
          viewer={viewers.agent}
          unread={{ ...NOTHING_UNREAD, inquiries: 4 }}
        >
          <SellerPage />
        </SellerShell>
      );
    case 'admin':
      return (
        <AdminShell
          brand={brand}
          viewer={viewers.admin}
          unread={NOTHING_UNREAD}
          collapsed={query.has('collapsed')}
          rows={adminRows({ approvals: 12, tasks: 7, reports: 1 })}
          openTasks={7}
          linkTo={(href) => href}
        >
          <AdminPage />
        </AdminShell>
      );
    case 'login':
      return (
        <PublicShell {...visitorProps}>
          <SignInView />
        </PublicShell>
      );
    case 'admin-login':
      return (
        <BareShell brand={brand}>
          <SignInView />
        </BareShell>
      );
    case '404':
      return (
        <PublicShell {...visitorProps}>
          <NotFoundView />
        </PublicShell>
      );
    case 'error':
      return (
        <PublicShell {...visitorProps}>
          <ErrorView routed={query.has('routed')} />
        </PublicShell>
      );
    default:
      return (
        <PublicShell
          brand={brand}
          types={types}
          viewer={viewers.buyer}
          unread={{ ...NOTHING_UNREAD, messages: 3 }}
        >
          <States />
        </PublicShell>
      );
  }
}
