import './app.css';
import type { ReactNode } from 'react';
import { data, Links, Meta, Outlet, Scripts, ScrollRestoration } from 'react-router';
import { ErrorPage } from '#app/shell/error-page.tsx';
import { THEME_SCRIPT } from '#app/shell/theme.ts';
import { unreadCounts } from '#features/bell/reads.ts';
import { propertyTypes } from '#features/listings/reads.ts';
import { brandName } from '#features/settings/reads.ts';
import { FlashToast } from '#ui/flash-toast.tsx';
import { fontPreloads } from '#ui/fonts.ts';
import { LoadLater } from '#ui/load-later.tsx';
import { Toaster } from '#ui/toaster.tsx';
import type { Route } from './+types/root';
import { clearFlash, readFlash } from './flash.ts';
import { getCtx } from './request.ts';
import type { Site } from './site.ts';

const loadListeners = async () => (await import('./live/page-listeners.tsx')).PageListeners;

export async function loader({ request, context }: Route.LoaderArgs) {
  const ctx = getCtx(context);
  const { actor, config } = ctx;
  const [brand, types, unread] = await Promise.all([brandName(ctx), propertyTypes(ctx), unreadCounts(ctx)]);
  const toast = readFlash(config, request);
  return data<Site>(
    {
      brand,
      types: types.map(({ name, slug }) => ({ name, slug })),
      unread,
      viewer:
        actor.kind === 'user'
          ? { id: actor.id, name: actor.name, email: actor.email, role: actor.role }
          : null,
      toast,
      publicUrl: config.publicUrl,
      demo: config.demo,
      requestId: ctx.requestId,
    },
    toast ? { headers: { 'set-cookie': clearFlash } } : undefined,
  );
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    // The theme script sets classes before React hydrates.
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {fontPreloads.map((href) => (
          <link key={href} rel="preload" as="font" type="font/woff2" href={href} crossOrigin="anonymous" />
        ))}
        <script>{THEME_SCRIPT}</script>
        <Meta />
        <Links nonce="" />
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
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
