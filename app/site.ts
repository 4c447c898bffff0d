import { useRouteLoaderData } from 'react-router';
import type { loader } from './root.tsx';

export type Site = Awaited<ReturnType<typeof loader>>['data'];

/** What every page may use: brand, property types, who is signed in. Null only while the root itself has failed. */
export const useSite = (): Site | null => useRouteLoaderData<typeof loader>('root') ?? null;
