import { parseTableQuery, toTableQuery } from '#app/table-query.ts';
import { documentSorts, tokenSorts } from '#features/documents/registry-model.ts';
import { isUuid } from '#platform/uuid.ts';
import { type AdminListQuery, adminPaths } from '#routing/admin-paths.ts';

const tabs = ['documents', 'property', 'completion'] as const;

/** What the URL of the page says; what cannot be a value is ignored. */
export function documentsQueryFrom(params: URLSearchParams) {
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'documents';
  // A database cannot compare with NUL.
  const text = (name: string) => (params.get(name) ?? '').replaceAll('\0', ' ').trim().slice(0, 200);
  const type = text('type') || null;
  if (tab === 'documents') return { tab, type, ...parseTableQuery(params, documentSorts) };
  if (tab === 'completion') return { tab, ...parseTableQuery(params, tokenSorts) };
  const id = (name: string) => (isUuid(text(name)) ? text(name) : null);
  const { page } = parseTableQuery(params, []);
  return { tab, property: id('property'), document: id('document'), find: text('find'), type, page };
}

export type DocumentsQuery = ReturnType<typeof documentsQueryFrom>;

type ListQuery = Extract<DocumentsQuery, { tab: 'documents' | 'completion' }>;

/** The URL of a list with parameters changed; another order or search starts at the first page. */
export function listHref(query: ListQuery, changes: AdminListQuery = {}): string {
  return adminPaths.documents({
    tab: query.tab === 'documents' ? undefined : query.tab,
    ...toTableQuery(query),
    type: query.tab === 'documents' ? (query.type ?? undefined) : undefined,
    ...changes,
  });
}
