import { auditJobs } from '#features/audit/jobs.ts';
import { chainJobs } from '#features/chain/jobs.ts';
import { closingJobs } from '#features/closing/jobs.ts';
import { contentJobs } from '#features/content/jobs.ts';
import { disputeJobs } from '#features/disputes/jobs.ts';
import { documentJobs } from '#features/documents/jobs.ts';
import { importRunJobs } from '#features/import-runs/jobs.ts';
import { inquiryJobs } from '#features/inquiries/jobs.ts';
import { ledgerJobs } from '#features/ledger/jobs.ts';
import { listingPlaceJobs } from '#features/listing-geocoding/jobs.ts';
import { notificationJobs } from '#features/notifications/jobs.ts';
import { overviewJobs } from '#features/overview/jobs.ts';
import { ownershipJobs } from '#features/ownership/jobs.ts';
import { paymentSettingsJobs } from '#features/payment-settings/jobs.ts';
import { paymentJobs } from '#features/payments/jobs.ts';
import { payoutRunJobs } from '#features/payout-runs/jobs.ts';
import { payoutScheduleJobs } from '#features/payout-schedule/jobs.ts';
import { sellerAccountJobs } from '#features/payouts/account-jobs.ts';
import { followPayoutMessage } from '#features/payouts/follow-message.ts';
import { payoutJobs } from '#features/payouts/jobs.ts';
import { reconciliationJobs } from '#features/reconciliation/jobs.ts';
import { remotePhotoJobs } from '#features/remote-photos/jobs.ts';
import { reportJobs } from '#features/reports/jobs.ts';
import { restartRelease } from '#features/sales/commands/restart-release.ts';
import { takeBackDelivery } from '#features/sales/commands/take-back-delivery.ts';
import { saleJobs } from '#features/sales/jobs.ts';
import { savedSearchJobs } from '#features/saved-searches/jobs.ts';
import { searchJobs } from '#features/search/jobs.ts';
import { sellerJobs } from '#features/sellers/jobs.ts';
import { mailSender } from '#features/settings/mails.ts';
import { statementJobs } from '#features/statements/jobs.ts';
import { taskJobs } from '#features/tasks/jobs.ts';
import { totalJobs } from '#features/totals/jobs.ts';
import { tourJobs } from '#features/tours/jobs.ts';
import { transactionJobs } from '#features/transactions/jobs.ts';
import { viewJobs } from '#features/views/jobs.ts';
import { incomingFolder } from '#gateways/files/uploads.ts';
import type { ServerCtx } from '#gateways/ports.ts';
import { webPictures } from '#gateways/remote-pictures/web-pictures.ts';
import { runMaintenance } from '#platform/db/maintenance.ts';
import { deleteOldEvents } from '#platform/events/events.ts';
import type { JobHandler } from '#platform/jobs/job.ts';
import { deliverMail, requeueLostMail, resumeMail } from '#platform/outbox/outbox.ts';
import { deleteOldCounters } from '#platform/rate-limits.ts';
import { photoJobs } from './photo-jobs.ts';
import { sandboxJobs } from './sandbox-jobs.ts';
import type { Services } from './services.ts';
import { syncSale } from './sync-sale.ts';

/** All background jobs of the process. */
export const jobHandlers = (services: Pick<Services, 'mailer' | 'config'>): JobHandler<ServerCtx>[] => [
  deliverMail(async (mail, ctx) => services.mailer.send({ ...mail, ...(await mailSender(ctx)) })),
  requeueLostMail,
  resumeMail,
  deleteOldEvents,
  deleteOldCounters,
  runMaintenance,
  ...auditJobs,
  ...ledgerJobs(services.config),
  ...searchJobs,
  ...notificationJobs,
  ...inquiryJobs,
  ...paymentJobs(followPayoutMessage),
  ...sellerAccountJobs,
  ...sellerJobs,
  ...statementJobs,
  ...payoutJobs,
  ...paymentSettingsJobs,
  ...payoutRunJobs,
  ...payoutScheduleJobs,
  ...chainJobs,
  ...disputeJobs,
  ...contentJobs,
  ...documentJobs({ removed: takeBackDelivery, released: restartRelease }),
  ...closingJobs,
  ...ownershipJobs,
  ...importRunJobs,
  ...listingPlaceJobs,
  ...remotePhotoJobs(webPictures({ folder: incomingFolder(services.config) })),
  ...reconciliationJobs(syncSale),
  ...saleJobs,
  ...reportJobs,
  ...sandboxJobs(services.config),
  ...photoJobs,
  ...savedSearchJobs,
  ...taskJobs,
  ...totalJobs,
  ...overviewJobs,
  ...tourJobs,
  ...transactionJobs,
  ...viewJobs,
];
