import { MAX_ADDED_DOCUMENTS, MAX_SALE_FILES, type SaleFileField } from '#features/documents/model.ts';
import { saleFileRefusals } from '#features/documents/rules.ts';
import {
  countAddedBy,
  registerSaleFiles,
  type SaleUpload,
  withSaleFiles,
} from '#features/documents/sale-files.ts';
import type { CtxWith } from '#gateways/ports.ts';
import { takeTokens } from '#platform/rate-limits.ts';
import { announceDocuments } from '../announce-sale.ts';
import { saleLimits } from '../limits.ts';
import { canAddDocuments } from '../rules.ts';
import { saleOfParty } from '../sale-of-party.ts';
import { lockSale, stateOf } from '../sale-row.ts';

type AddResult =
  | { ok: true }
  | { ok: false; reason: 'not_now' | 'not_yours' }
  | { ok: false; reason: 'files'; errors: Partial<Record<SaleFileField, string>> };

/**
 * Adds documents to a sale while it is in escrow, for both parties to see. The same file of the same person is added once, however
 * often it is sent.
 * @throws Unauthenticated; NotFound for a sale that the caller has no part in (R8); TooManyRequests; FileStoreError
 */
export async function addSaleDocuments(
  ctx: CtxWith<'files' | 'malware'>,
  { saleId, files }: { saleId: string; files: readonly SaleUpload[] },
): Promise<AddResult> {
  const { user, sale, party } = await saleOfParty(ctx, saleId);
  // A suspended seller may only look.
  if (party === 'seller' && user.suspended) return { ok: false, reason: 'not_yours' };
  if (!canAddDocuments(stateOf(sale))) return { ok: false, reason: 'not_now' };
  const [first] = files;
  if (!first) return { ok: false, reason: 'files', errors: { deed: saleFileRefusals.none } };
  if (files.length > MAX_SALE_FILES)
    return { ok: false, reason: 'files', errors: { [first.field]: saleFileRefusals.too_many } };
  await takeTokens(ctx, saleLimits.act, user.id);
  const stored = await withSaleFiles(ctx, { files, userId: user.id }, (documents) =>
    ctx.db.tx(async (): Promise<{ result: AddResult; registered: readonly string[] }> => {
      const locked = await lockSale(ctx, saleId);
      if (!locked || !canAddDocuments(stateOf(locked)))
        return { result: { ok: false, reason: 'not_now' }, registered: [] };
      if ((await countAddedBy(ctx, saleId, user.id)) + documents.length > MAX_ADDED_DOCUMENTS) {
        const errors = { [first.field]: saleFileRefusals.too_many_added };
        return { result: { ok: false, reason: 'files', errors }, registered: [] };
      }
      const registered = await registerSaleFiles(ctx, {
        sale: { id: saleId, propertyId: locked.property_id },
        files: documents,
        userId: user.id,
      });
      if (registered.length > 0) await announceDocuments(ctx, locked);
      return { result: { ok: true }, registered };
    }),
  );
  return stored.ok ? stored.result : { ok: false, reason: 'files', errors: stored.errors };
}
