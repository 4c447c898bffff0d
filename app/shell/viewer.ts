import type { UnreadCounts } from '#features/bell/model.ts';

/** The signed-in user, as far as the shells need to know. */
export interface Viewer {
  id: string;
  name: string;
  email: string;
  role: 'buyer' | 'agent' | 'admin';
}

export interface ShellLink {
  href: string;
  label: string;
}

export interface PropertyTypeLink {
  name: string;
  slug: string;
}

/** Data that every shell gets from the layout. */
export interface ShellProps {
  viewer: Viewer | null;
  /** The product's name ('Acre Trading Post'). */
  brand: string;
  /** The property types of the menus, in their order. */
  types: readonly PropertyTypeLink[];
  /** The operator's own pages and support address, for the footer. */
  operator?: readonly ShellLink[] | undefined;
  /** What the viewer has not seen. */
  unread: UnreadCounts;
}
