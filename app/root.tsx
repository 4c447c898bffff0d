import './app.css';
import type { ReactNode } from 'react';
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { HEAD_SCRIPT } from '#app/shell/head-script.ts';
import { unreadCounts } from '#features/bell/reads.ts';
import { NOTHING_UNREAD } from '#features/bell/rules.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import { DEFAULT_BRAND } from '#features/settings/brand.ts';
import { brandName, supportAddress } from '#features/settings/reads.ts';
import { referenceOf } from '#platform/http/reference.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { fontFiles } from '#ui/fonts.ts';
import { LoadLater } from '#ui/load-later.tsx';
import { Toaster } from '#ui/toaster.tsx';
import type { Route } from './+types/root';
import { wantsJson } from './actions/run-action.ts';
import { clearFlash, readFlash } from './flash.ts';
import { operatorLinks } from './operator-links.ts';
import { readOr } from './read-or.ts';
import { getScope } from './request.ts';
import { type Site, useSite } from './site.ts';

const loadListeners = async () => (await import('./live/page-listeners.tsx')).PageListeners;

export const middleware: Route.MiddlewareFunction[] = [
  ({ context, pattern }) => {
    getScope(context).pattern = `/${pattern.replace(/^\//, '')}`;
  },
];

export async function loader({ request, context }: Route.LoaderArgs) {
  const { ctx, sessionUnknown, fault } = getScope(context);
  const { actor, config } = ctx;
  const [brand, support, types, unread] = await Promise.all([
    readOr(ctx, DEFAULT_BRAND, () => brandName(ctx)),
    readOr(ctx, null, () => supportAddress(ctx)),
    readOr(ctx, [], () => propertyTypes(ctx)),
    readOr(ctx, NOTHING_UNREAD, () => unreadCounts(ctx)),
  ]);
  const toast = readFlash(config, request);
  return data<Site>(
    {
      brand,
      types: types.map(({ name, slug }) => ({ name, slug })),
      operator: operatorLinks(support),
      unread,
      viewer:
        actor.kind === 'user'
          ? { id: actor.id, name: actor.name, email: actor.email, role: actor.role }
          : null,
      toast,
      publicUrl: config.publicUrl,
      demo: config.demo,
      reference: referenceOf(ctx.requestId),
      sessionUnknown,
      bare: fault !== undefined,
    },
    toast && !wantsJson(request) ? { headers: { 'set-cookie': clearFlash } } : undefined,
  );
}

export function Layout({ children }: { children: ReactNode }) {
  const scripts = !useSite()?.bare;
  return (
    // The script in the head sets classes before React hydrates.
    <html lang="en" data-fonts={fontFiles.join(' ')} suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <script>{HEAD_SCRIPT}</script>
        <Meta />
        <Links nonce="" />
      </head>
      <body>
        {children}
        {scripts && <ScrollRestoration />}
        {scripts && <Scripts />}
      </body>
    </html>
  );
}

export default function App({ loaderData }: Route.ComponentProps) {
  return (
    <>
      <Outlet />
      <Toaster />
      <FlashToast toast={loaderData.toast} />
      <LoadLater load={loadListeners} props={{ viewerId: loaderData.viewer?.id ?? null }} />
    </>
  );
}

/** The outermost boundary, for when a layout itself has failed. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <main id="main">
      <ErrorPage error={error} />
    </main>
  );
}
