import { queueAnchor } from '#features/chain/queue-anchor.ts';
import { insertDocument, type NewDocument } from '#features/documents/insert-document.ts';
import type { StoredDocument } from '#features/documents/model.ts';
import { storeMade } from '#features/documents/store-made.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { PdfContent } from '#platform/pdf/content.ts';

/** A document to make, for a row of `closing_documents` that has none yet. */
export interface Making {
  closingId: number;
  content: PdfContent;
  /** of the file */
  name: string;
  document: Omit<NewDocument, 'document' | 'origin' | 'uploadedBy'>;
}

/**
 * Prints documents, stores them, and registers them and asks for their anchors, all of them in one transaction. A row that got its
 * document meanwhile keeps it: of several runs one registers.
 * @param also runs in that transaction for each document that was registered
 * @throws FileStoreError
 */
export async function makeDocuments(
  ctx: CtxWith<'files'>,
  makings: readonly Making[],
  also: (making: Making, documentId: string) => Promise<void> = async () => undefined,
): Promise<void> {
  // Loaded when the first document is printed: most processes never print one.
  const { renderPdf } = await import('#platform/pdf/render.ts');
  const made: { making: Making; stored: StoredDocument }[] = [];
  for (const making of makings) {
    const bytes = await renderPdf(making.content);
    const subject = `closing ${making.closingId}`;
    made.push({ making, stored: await storeMade(ctx, { subject, name: making.name, bytes }) });
  }
  await ctx.db.tx(async () => {
    for (const { making, stored } of made) {
      const open = await ctx.db
        .q()
        .selectFrom('closing_documents')
        .select('id')
        .where('id', '=', making.closingId)
        .where('document_id', 'is', null)
        .forUpdate()
        .executeTakeFirst();
      if (!open) continue;
      const { id } = await insertDocument(ctx, {
        ...making.document,
        origin: 'made',
        uploadedBy: null,
        document: stored,
      });
      await ctx.db
        .q()
        .updateTable('closing_documents')
        .set({ document_id: id })
        .where('id', '=', making.closingId)
        .execute();
      await queueAnchor(ctx, id);
      await also(making, id);
    }
  });
}
