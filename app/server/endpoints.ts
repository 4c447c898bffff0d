import type { Hono } from 'hono';
import { accountExport } from '#app/routes/api/account-export.ts';
import { liveEvents } from '#app/routes/api/events.ts';
import { illustrationHandler } from '#app/routes/api/illustration.ts';
import { keepDraft, placeEndpoint } from '#app/routes/api/listing-draft.ts';
import { mapMarkersEndpoint } from '#app/routes/api/map.ts';
import { publicMedia, signedFile } from '#app/routes/api/media.ts';
import { ogImage } from '#app/routes/api/og-image.ts';
import { createPayment, onlyPost, paymentDiagnostics, stripeConfig } from '#app/routes/api/payments.ts';
import { changePhoto, listPhotos, uploadPhoto } from '#app/routes/api/photos.ts';
import { sellerTransactions } from '#app/routes/api/seller-transactions.ts';
import { robots, sitemap, sitemapShard } from '#app/routes/api/sitemap.ts';
import { suggestions } from '#app/routes/api/suggestions.ts';
import { unread } from '#app/routes/api/unread.ts';
import { webhook } from '#app/routes/api/webhooks.ts';
import type { WebEnv } from './environment.ts';

/** Below this, requests carry whole files, and bound themselves. */
export const UPLOADS = '/agent/uploads/';

/** Files that anybody may read and that never depend on who asks: answered before a session is looked up. */
export function addFiles(app: Hono<WebEnv>): void {
  app.get('/illustrations/*', illustrationHandler());
  app.get('/media/*', publicMedia);
}

/** Messages of providers, who prove themselves by signature and have no session: answered before one is looked up. */
export function addWebhooks(app: Hono<WebEnv>): void {
  app.post('/api/webhooks/stripe', webhook('card'));
  app.post('/api/webhooks/coinbase', webhook('crypto'));
}

/** Every address that answers with data instead of a page. */
export function addEndpoints(app: Hono<WebEnv>): void {
  app.get('/robots.txt', robots);
  app.get('/sitemap.xml', sitemap);
  app.get('/sitemap/:shard', sitemapShard);
  app.get('/files/*', signedFile);
  app.get('/property/:id/og.jpg', ogImage);
  app.get('/account/export', accountExport);
  app.get('/agent/transactions.csv', sellerTransactions);
  for (const kind of ['property', 'draft'] as const) {
    app.get(`/agent/photos/${kind}/:id`, listPhotos(kind));
    app.post(`/agent/photos/${kind}/:id`, changePhoto(kind));
    app.post(`${UPLOADS}${kind}/:id`, uploadPhoto(kind));
    app.get(`${UPLOADS}${kind}/:id`, onlyPost);
  }
  app.get('/api/suggestions', suggestions);
  app.get('/api/map', mapMarkersEndpoint);
  app.post('/api/listing-draft', keepDraft);
  app.get('/api/listing-draft', onlyPost);
  app.get('/api/place', placeEndpoint);
  app.get('/api/events', liveEvents);
  app.get('/api/unread', unread);
  app.post('/api/payments/create-card-payment', createPayment);
  app.post('/api/payments/create-coinbase-payment', createPayment);
  app.post('/api/payments/create-crypto-payment', createPayment);
  app.get('/api/payments/*', onlyPost);
  app.post('/api/payment-diagnostics', paymentDiagnostics);
  app.get('/api/payment-diagnostics', onlyPost);
  app.get('/api/stripe-config', stripeConfig);
  app.get('/api/webhooks/*', onlyPost);
}
