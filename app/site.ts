import { useRouteLoaderData } from 'react-router';
import type { UnreadCounts } from '#features/bell/model.ts';
import type { Role } from '#platform/context.ts';
import type { ToastInput } from '#ui/toast.ts';

/** What every page needs: the brand, the property types for the menus, who is signed in, the flash toast. */
export interface Site {
  brand: string;
  types: { name: string; slug: string }[];
  /** the terms, the privacy policy and the support address, for the footer */
  operator: { href: string; label: string }[];
  unread: UnreadCounts;
  viewer: { id: string; name: string; email: string; role: Role } | null;
  toast: ToastInput | null;
  publicUrl: string;
  demo: boolean;
  /** by which a user can report what is wrong with the page */
  reference: string;
  /** it could not be read who is signed in, so `viewer` is null */
  sessionUnknown: boolean;
  /** the page runs no scripts: the browser's router could not make anything of its address */
  bare: boolean;
}

/** The root loader's data. Null only when the root itself has failed. */
export const useSite = (): Site | null => useRouteLoaderData<Site>('root') ?? null;
