import { MAX_SALE_FILES, type SaleFileField } from '#features/documents/model.ts';
import { saleFileRefusals } from '#features/documents/rules.ts';
import { type SaleUpload, withSaleFiles } from '#features/documents/sale-files.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { TransitionRefusal } from '../model.ts';
import { saleOfParty } from '../sale-of-party.ts';
import { factsOf, stateOf } from '../sale-row.ts';
import { resolveTransition } from '../transitions.ts';
import { actOnSale } from './act-on-sale.ts';

type DeliverResult =
  | { ok: true }
  | { ok: false; reason: TransitionRefusal }
  | { ok: false; reason: 'files'; errors: Partial<Record<SaleFileField, string>> };

/**
 * Delivers the closing documents: checks and stores the files, and registers them for both parties in the transaction in which the sale
 * moves. When it does not move, as for the second of two clicks, they are deleted again. A file that waits for the scanner counts.
 * @throws Unauthenticated; NotFound for a sale that the caller has no part in (R8); TooManyRequests; FileStoreError
 */
export async function deliverDocuments(
  ctx: CtxWith<'files' | 'malware'>,
  { saleId, files, note }: { saleId: string; files: readonly SaleUpload[]; note?: string | null },
): Promise<DeliverResult> {
  const { user, sale, party } = await saleOfParty(ctx, saleId);
  if (party === 'seller' && user.suspended) return { ok: false, reason: 'not_yours' };
  // Asked before anything is stored or scanned: no one else can make us do that.
  const possible = resolveTransition(stateOf(sale), 'deliver_documents', party, await factsOf(ctx, sale));
  if (!possible.ok) return possible;
  const [first] = files;
  if (!first) return { ok: false, reason: 'files', errors: { deed: saleFileRefusals.none } };
  if (files.length > MAX_SALE_FILES)
    return { ok: false, reason: 'files', errors: { [first.field]: saleFileRefusals.too_many } };
  const stored = await withSaleFiles(ctx, { files, userId: user.id }, async (documents) => {
    const result = await actOnSale(ctx, {
      saleId,
      event: 'deliver_documents',
      note: note ?? null,
      documents,
    });
    return { result, registered: result.ok ? result.registered : [] };
  });
  if (!stored.ok) return { ok: false, reason: 'files', errors: stored.errors };
  const { result } = stored;
  return result.ok ? { ok: true } : result;
}
