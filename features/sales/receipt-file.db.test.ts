import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createFolderStore } from '#gateways/files/folder.ts';
import { signFileLink } from '#gateways/files/signed-link.ts';
import type { CtxWith } from '#gateways/ports.ts';
import type { Actor } from '#platform/context.ts';
import type { Database } from '#platform/db/database.ts';
import { MINUTE } from '#platform/durations.ts';
import { dollarsAndCents } from '#platform/money.ts';
import { qrCode } from '#platform/qr-code.ts';
import { describeOnDatabase } from '#tests/support/database/test-database.ts';
import { readPdf } from '#tests/support/files/read-pdf.ts';
import { chargeFees, createSaleScenario, type SaleScenario } from '#tests/support/fixtures/sale-scenario.ts';
import { receipt, receiptFile, receiptLink, receiptRecord } from './reads.ts';

await describeOnDatabase('the file of a receipt', (open) => {
  let db: Database;
  let scenario: SaleScenario;
  let saleId: string;
  const folder = mkdtempSync(join(tmpdir(), 'acre-receipts-'));
  const files = createFolderStore({ folder, secret: 'a secret that is long enough for tests' });
  beforeAll(async () => {
    db = await open();
    await chargeFees(db);
    scenario = await createSaleScenario(db);
    saleId = await scenario.createPaidSale();
  });
  afterAll(async () => {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const as = (actor: Actor): CtxWith<'files'> => ({ ...scenario.contextFor(actor), files });

  const partsOf = (link: string) => {
    const { pathname, searchParams } = new URL(link, 'https://example.test');
    return { saleId: /([^/]+)\.pdf$/.exec(pathname)?.[1] ?? '', query: searchParams };
  };
  /** What somebody without a session gets for the address. */
  const fetchFile = (link: string, change: (query: URLSearchParams) => void = () => undefined) => {
    const parts = partsOf(link);
    change(parts.query);
    return receiptFile(scenario.contextFor({ kind: 'visitor' }), parts);
  };

  it('says what its page says', async () => {
    const shown = await receipt(scenario.contextFor(scenario.buyer), saleId);
    const { name, bytes } = await fetchFile(await receiptLink(as(scenario.buyer), saleId));
    expect(name).toBe(`receipt-${shown.number}.pdf`);
    const { pages, info, links } = await readPdf(bytes);
    const [text = ''] = pages;
    // Anyone who holds it can check it by its number.
    expect(shown.checkUrl).toMatch(new RegExp(`^http.*/verify\\?q=${shown.number}$`));
    expect(links).toContain(shown.checkUrl);
    expect(shown.checkCode).toEqual(qrCode(shown.checkUrl));
    expect(info).toMatchObject({ Title: `Receipt ${shown.number}`, Author: 'Acre Trading Post' });
    expect(shown.lines.length).toBeGreaterThan(0);
    // Long ones are broken over lines.
    for (const part of [
      shown.number,
      shown.property.address,
      shown.property.town,
      shown.buyer.name,
      shown.buyer.email,
      shown.seller.name,
      shown.seller.email,
      shown.paymentRef ?? '?',
      'Sandbox – no real money',
      dollarsAndCents(shown.basePriceCents),
      ...shown.lines.flatMap(({ label, cents }) => [label, dollarsAndCents(cents)]),
      dollarsAndCents(shown.totalCents),
      'Card or bank transfer',
      'Check this receipt',
      shown.checkUrl,
      ' UTC',
    ])
      expect(text.replaceAll(/\s+/g, '')).toContain(part.replaceAll(/\s+/g, ''));
  });

  it('is the same bytes for buyer, seller and the system, today and next year', async () => {
    const forBuyer = await fetchFile(await receiptLink(as(scenario.buyer), saleId));
    const forSeller = await fetchFile(await receiptLink(as(scenario.seller), saleId));
    expect(Buffer.from(forSeller.bytes).equals(forBuyer.bytes)).toBe(true);
    scenario.clock.advance(365 * 24 * 60 * MINUTE);
    const later = await receiptRecord(scenario.system, saleId);
    expect(Buffer.from(later ?? []).equals(forBuyer.bytes)).toBe(true);
  });

  it('is open to whoever has its address, for ten minutes', async () => {
    const link = await receiptLink(as(scenario.buyer), saleId);
    scenario.clock.advance(10 * MINUTE - 1000);
    expect((await fetchFile(link)).bytes.byteLength).toBeGreaterThan(1000);
    scenario.clock.advance(1000);
    await expect(fetchFile(link)).rejects.toThrow('This link is not valid or has expired.');
  });

  it('is closed to an address that was changed', async () => {
    const link = await receiptLink(as(scenario.buyer), saleId);
    const other = await scenario.createPaidSale();
    for (const [what, change] of Object.entries<(query: URLSearchParams) => void>({
      'a longer life': (query) => query.set('exp', '9999999999'),
      'another name': (query) => query.set('name', 'invoice.pdf'),
      'another signature': (query) => query.set('sig', 'A'.repeat(43)),
      'no signature': (query) => query.delete('sig'),
    }))
      await expect(fetchFile(link, change), what).rejects.toMatchObject({ status: 404 });
    const { query } = partsOf(link);
    const visitor = scenario.contextFor({ kind: 'visitor' });
    await expect(receiptFile(visitor, { saleId: other, query })).rejects.toMatchObject({ status: 404 });
    await expect(receiptFile(visitor, { saleId: 'x', query })).rejects.toMatchObject({ status: 404 });
  });

  it('has no address before the payment', async () => {
    const { saleId: unpaid } = await scenario.checkout(scenario.buyer, await scenario.createListing());
    await expect(receiptLink(as(scenario.buyer), unpaid)).rejects.toThrow('Receipt available after payment');
    expect(await receiptRecord(scenario.system, unpaid)).toBeNull();
  });

  it('can be asked for twenty times a minute, also when there is nothing to print', async () => {
    const ctx = scenario.contextFor({ kind: 'visitor' });
    const limited = { ...ctx, config: { ...ctx.config, relaxedLimits: false } };
    const nobody = randomUUID();
    const expiresAt = new Date(scenario.clock.now().getTime() + MINUTE);
    const parts = partsOf(signFileLink(ctx.config.secret, { key: `receipts/${nobody}.pdf`, expiresAt }));
    for (let times = 0; times < 20; times++)
      await expect(receiptFile(limited, parts)).rejects.toMatchObject({ status: 404 });
    await expect(receiptFile(limited, parts)).rejects.toMatchObject({ status: 429 });
  });
});
