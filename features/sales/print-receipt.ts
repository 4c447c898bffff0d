import { brandName } from '#features/settings/reads.ts';
import type { Ctx } from '#platform/context.ts';
import { loadReceipt } from './load-receipt.ts';
import { receiptPdf } from './receipt-pdf.ts';
import type { SaleRow } from './sale-row.ts';

/**
 * The receipt of a sale as a PDF.
 * @throws NotFound for a sale that was never paid
 */
export async function printReceipt(
  ctx: Ctx,
  sale: SaleRow,
): Promise<{ number: string; bytes: Uint8Array<ArrayBuffer> }> {
  const [facts, brand] = await Promise.all([loadReceipt(ctx, sale), brandName(ctx)]);
  // Loaded when the first document is printed: most processes never print one.
  const { renderPdf } = await import('#platform/pdf/render.ts');
  return { number: facts.number, bytes: await renderPdf(receiptPdf(facts, brand)) };
}
