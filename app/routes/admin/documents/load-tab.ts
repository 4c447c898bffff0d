import { readOr, readOrNull } from '#app/read-or.ts';
import { whenGone } from '#app/when-gone.ts';
import { contentLinks } from '#features/content/reads.ts';
import {
  documentList,
  propertyChoices,
  propertyDocuments,
  tokenList,
  tokensOfProperty,
  usedDocumentTypes,
} from '#features/documents/reads.ts';
import { documentMessages } from '#features/documents/rules.ts';
import type { Ctx } from '#platform/context.ts';
import type { DocumentsQuery } from './query.ts';

/** What the tab of the URL shows; a part that could not be read is null, and `failed` says which. */
export async function loadTab(ctx: Ctx, query: DocumentsQuery) {
  const { failedDocuments, failedTokens } = documentMessages;
  if (query.tab === 'documents') {
    const [list, types] = await Promise.all([
      readOrNull(ctx, () => documentList(ctx, query)),
      readOr<string[], string[]>(ctx, [], () => usedDocumentTypes(ctx)),
    ]);
    return {
      tab: query.tab,
      query,
      list,
      types,
      links: await linksOf(ctx, list?.rows),
      failed: list ? null : failedDocuments,
    };
  }
  if (query.tab === 'completion') {
    const list = await readOrNull(ctx, () => tokenList(ctx, { ...query, kind: 'completion' }));
    return { tab: query.tab, query, list, failed: list ? null : failedTokens };
  }
  const { property: propertyId, find } = query;
  if (propertyId === null) {
    const found = find ? await readOrNull(ctx, () => propertyChoices(ctx, find)) : null;
    return {
      tab: query.tab,
      query,
      found,
      chosen: null,
      failed: find && !found ? 'Failed to fetch properties' : null,
    };
  }
  const [documents, tokens] = await Promise.all([
    readOrNull(ctx, () => known(propertyDocuments(ctx, { propertyId, type: query.type, page: query.page }))),
    readOrNull(ctx, () => tokensOfProperty(ctx, { propertyId, kind: 'property' })),
  ]);
  return {
    tab: query.tab,
    query,
    found: null,
    chosen: { documents, tokens },
    failed: documents ? (tokens ? null : failedTokens) : failedDocuments,
  };
}

/** Where the files of public documents are; none when that cannot be read. */
export const linksOf = (ctx: Ctx, documents: readonly { cid: string | null }[] = []) =>
  readOr<Record<string, string>, Record<string, string>>(ctx, {}, () =>
    contentLinks(
      ctx,
      documents.flatMap(({ cid }) => cid ?? []),
    ),
  );

/** An id of no property is said in the tab, which lets another one be chosen. */
const known = <Found>(reading: Promise<Found>) => whenGone(reading, () => 'unknown' as const);

export type LoadedTab = Awaited<ReturnType<typeof loadTab>>;
