import type { Hono } from 'hono';
import {
  documentFile,
  propertyChoicesEndpoint,
  sellerChoicesEndpoint,
} from '#app/routes/api/admin-properties.ts';
import { publishedFile } from '#app/routes/api/content.ts';
import { searchCount } from '#app/routes/api/count.ts';
import { shownDocumentFile } from '#app/routes/api/documents.ts';
import { liveEvents } from '#app/routes/api/events.ts';
import { closingCalendar, searchFeedFile, toSearchFeed } from '#app/routes/api/feeds.ts';
import { historyFile } from '#app/routes/api/history-file.ts';
import { uploadHomepageImage } from '#app/routes/api/homepage-image.ts';
import { illustrationHandler } from '#app/routes/api/illustration.ts';
import { refusedRowsFile, sparedRowsFile, uploadImportFile } from '#app/routes/api/import-files.ts';
import { inquiryNotification } from '#app/routes/api/inquiry-notification.ts';
import { placeEndpoint, saveListingDraft } from '#app/routes/api/listing-draft.ts';
import { mailBounces } from '#app/routes/api/mail-bounces.ts';
import { mapCardsEndpoint, mapMarkersEndpoint } from '#app/routes/api/map.ts';
import { publicMedia, signedFile } from '#app/routes/api/media.ts';
import { messageFile } from '#app/routes/api/message-file.ts';
import { officeSearch } from '#app/routes/api/office-search.ts';
import { ogImageHandler } from '#app/routes/api/og-image.ts';
import { openApi } from '#app/routes/api/openapi.ts';
import {
  createPayment,
  methodNotAllowed,
  paymentDiagnostics,
  stripeConfig,
} from '#app/routes/api/payments.ts';
import { pendingSum } from '#app/routes/api/pending-sum.ts';
import { accountExport, requestedData } from '#app/routes/api/personal-data-file.ts';
import { changePhoto, listPhotos, uploadPhoto } from '#app/routes/api/photos.ts';
import { receiptPdf, signedReceipt } from '#app/routes/api/receipt-file.ts';
import { reportPdfFile, reportTableFile } from '#app/routes/api/report-files.ts';
import { RESO_ROOT, resoResource, resoResourceCount, resoRoot } from '#app/routes/api/reso.ts';
import { sellerListings } from '#app/routes/api/seller-listings.ts';
import { sellerTransactions } from '#app/routes/api/seller-transactions.ts';
import { session } from '#app/routes/api/session.ts';
import { robots, SITEMAP_LISTINGS, sitemapShard, sitemapUpTo } from '#app/routes/api/sitemap.ts';
import { statementEndpoint } from '#app/routes/api/statement-file.ts';
import { stillPendingEndpoint } from '#app/routes/api/still-pending.ts';
import { suggestions } from '#app/routes/api/suggestions.ts';
import { tourCalendarFile } from '#app/routes/api/tour-file.ts';
import { preparedTransactionsFile, transactionsFile } from '#app/routes/api/transactions-file.ts';
import { unread } from '#app/routes/api/unread.ts';
import { waitingWorkEndpoint } from '#app/routes/api/waiting-work.ts';
import {
  coinbaseWebhook,
  paypalWebhook,
  sandboxPayoutsWebhook,
  sandboxWebhook,
  stripeConnectWebhook,
  stripeWebhook,
} from '#app/routes/api/webhooks.ts';
import type { WebEnv } from './environment.ts';

/** Requests below these paths carry whole files and enforce a size limit of their own. */
const SELLER_UPLOADS = '/agent/uploads/';
const ADMIN_UPLOADS = '/admin/uploads/';
export const uploadPaths = [SELLER_UPLOADS, ADMIN_UPLOADS] as const;

/** Forms of administrators that carry a document; the limit holds for administrators alone. */
export const DOCUMENT_FORMS = ['/admin/properties/', '/admin/transactions', '/admin/blockchain'] as const;

/** Pages of a sale, whose forms carry documents; the limit holds for those who take part in it. */
export const SALE_FORMS = ['/agent/sales/', '/buyer/sales/'] as const;

/** Forms of sellers that carry a document about a listing; the limit holds for sellers who may upload one. */
export const LISTING_DOCUMENT_FORMS = {
  below: '/agent/properties/',
  path: /^\/agent\/properties\/[^/]+\/(?:ownership|disclosures)(?:\.data)?$/,
} as const;

/** Forms that carry a file to the other side of a conversation; the limit holds for its parties. */
export const MESSAGE_FORMS = {
  below: '/inquiries/',
  path: /^\/inquiries\/([^/]+)\/file(?:\.data)?$/,
} as const;

/** Public files that are the same for everybody: served before a session is looked up. */
export function addFiles(app: Hono<WebEnv>): void {
  app.get('/illustrations/*', illustrationHandler());
  app.get('/media/*', publicMedia);
  app.get('/content/:cid', publishedFile);
}

/** Webhooks of payment providers and the mail server, authenticated by signature or secret: handled before a session is looked up. */
export function addWebhooks(app: Hono<WebEnv>): void {
  app.post('/api/webhooks/stripe', stripeWebhook);
  app.post('/api/webhooks/coinbase', coinbaseWebhook);
  app.post('/api/webhooks/stripe-connect', stripeConnectWebhook);
  app.post('/api/webhooks/paypal', paypalWebhook);
  app.post('/api/webhooks/sandbox', sandboxWebhook);
  app.post('/api/webhooks/sandbox-payouts', sandboxPayoutsWebhook);
  app.post('/api/webhooks/mail-bounces', mailBounces);
}

/** What other systems read with an API key, which alone says who asks: handled before a session is looked up. */
export function addExchange(app: Hono<WebEnv>): void {
  app.get(RESO_ROOT, resoRoot);
  app.get(`${RESO_ROOT}/:resource`, resoResource);
  app.get(`${RESO_ROOT}/:resource/$count`, resoResourceCount);
}

/** Every endpoint that returns data instead of a page. */
export function addEndpoints(app: Hono<WebEnv>): void {
  app.get('/robots.txt', robots);
  app.get('/openapi.json', openApi);
  app.get('/sitemap.xml', sitemapUpTo(SITEMAP_LISTINGS));
  app.get('/sitemap/:shard', sitemapShard);
  app.get('/saved-searches/:id/feed', toSearchFeed);
  app.get('/feeds/searches/:file', searchFeedFile);
  app.get('/closing-dates.ics', closingCalendar);
  app.get('/tours/:file', tourCalendarFile);
  app.get('/message-files/:id', messageFile);
  app.get('/receipt/:id/pdf', receiptPdf);
  app.get('/files/receipts/:file', signedReceipt);
  app.get('/files/*', signedFile);
  app.get('/property/:id/og.jpg', ogImageHandler());
  app.get('/account/export', accountExport);
  app.get('/agent/transactions.csv', sellerTransactions);
  app.get('/agent/listings.csv', sellerListings('csv'));
  app.get('/agent/listings.json', sellerListings('json'));
  app.get('/admin/history.csv', historyFile);
  app.get('/admin/reports.csv', reportTableFile);
  app.get('/admin/reports.pdf', reportPdfFile);
  app.get('/admin/transactions.csv', transactionsFile('csv'));
  app.get('/admin/transactions.xlsx', transactionsFile('xlsx'));
  app.get('/admin/transaction-files/:id', preparedTransactionsFile);
  app.get('/admin/personal-data/:link', requestedData);
  app.get('/statements/:seller/:file', statementEndpoint);
  for (const kind of ['property', 'draft'] as const) {
    app.get(`/agent/photos/${kind}/:id`, listPhotos(kind));
    app.post(`/agent/photos/${kind}/:id`, changePhoto(kind));
    app.post(`${SELLER_UPLOADS}${kind}/:id`, uploadPhoto(kind));
    app.get(`${SELLER_UPLOADS}${kind}/:id`, methodNotAllowed);
  }
  app.post(`${ADMIN_UPLOADS}homepage`, uploadHomepageImage);
  app.get(`${ADMIN_UPLOADS}homepage`, methodNotAllowed);
  for (const [area, uploads] of [
    ['agent', SELLER_UPLOADS],
    ['admin', ADMIN_UPLOADS],
  ] as const) {
    app.post(`${uploads}import`, uploadImportFile(area));
    app.get(`${uploads}import`, methodNotAllowed);
    app.get(`/${area}/import-files/:id/refused.csv`, refusedRowsFile(area));
    app.get(`/${area}/import-files/:id/spared.csv`, sparedRowsFile(area));
  }
  app.get('/admin/seller-choices', sellerChoicesEndpoint);
  app.get('/admin/property-choices', propertyChoicesEndpoint);
  app.get('/admin/documents/:id/file', documentFile);
  app.get('/documents/:id/file', shownDocumentFile);
  app.get('/api/suggestions', suggestions);
  app.get('/api/count', searchCount);
  app.get('/api/map', mapMarkersEndpoint);
  app.get('/api/map/cards', mapCardsEndpoint);
  app.post('/api/listing-draft', saveListingDraft);
  app.get('/api/listing-draft', methodNotAllowed);
  app.get('/api/place', placeEndpoint);
  app.get('/api/events', liveEvents);
  app.get('/api/session', session);
  app.get('/api/unread', unread);
  app.get('/api/office-search', officeSearch);
  app.get('/api/waiting-work', waitingWorkEndpoint);
  app.get('/api/pending-sum', pendingSum);
  app.post('/api/still-pending', stillPendingEndpoint);
  app.get('/api/still-pending', methodNotAllowed);
  app.post('/api/send-inquiry-notification', inquiryNotification);
  app.get('/api/send-inquiry-notification', methodNotAllowed);
  app.post('/api/payments/create-card-payment', createPayment);
  app.post('/api/payments/create-coinbase-payment', createPayment);
  app.post('/api/payments/create-crypto-payment', createPayment);
  app.get('/api/payments/*', methodNotAllowed);
  app.post('/api/payment-diagnostics', paymentDiagnostics);
  app.get('/api/payment-diagnostics', methodNotAllowed);
  app.get('/api/stripe-config', stripeConfig);
  app.get('/api/webhooks/*', methodNotAllowed);
}
