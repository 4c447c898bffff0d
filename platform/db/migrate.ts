import { sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import { installJobs } from '../jobs/boss.ts';
import type { Database } from './database.ts';
import * as accounts from './migrations/0001_accounts.ts';
import * as marketplace from './migrations/0002_marketplace.ts';
import * as conversations from './migrations/0003_conversations.ts';
import * as money from './migrations/0004_money.ts';
import * as documents from './migrations/0005_documents.ts';
import * as platform from './migrations/0006_platform.ts';
import * as search from './migrations/0007_search.ts';
import * as sharedReads from './migrations/0008_shared_reads.ts';
import * as eventOrder from './migrations/0010_event_order.ts';
import * as purchases from './migrations/0011_purchases.ts';
import * as sandbox from './migrations/0012_sandbox.ts';
import * as conversationsLive from './migrations/0013_conversations_live.ts';
import * as savedSearches from './migrations/0014_saved_searches.ts';
import * as sellers from './migrations/0015_sellers.ts';
import * as listingForm from './migrations/0016_listing_form.ts';
import * as photos from './migrations/0017_photos.ts';
import * as listingLifeCycle from './migrations/0018_listing_life_cycle.ts';
import * as paymentReconciliation from './migrations/0019_payment_reconciliation.ts';
import * as adminTasks from './migrations/0020_admin_tasks.ts';
import * as moneyAccounts from './migrations/0021_money_accounts.ts';
import * as sandboxBooks from './migrations/0023_sandbox_books.ts';
import * as deadlines from './migrations/0024_deadlines.ts';
import * as reconciliation from './migrations/0025_reconciliation.ts';
import * as auditChain from './migrations/0026_audit_chain.ts';
import * as disputeEvidence from './migrations/0027_dispute_evidence.ts';
import * as tranches from './migrations/0028_tranches.ts';
import * as feeOrder from './migrations/0029_fee_order.ts';
import * as sandboxPaymentMethod from './migrations/0030_sandbox_payment_method.ts';
import * as readers from './migrations/0031_readers.ts';
import * as disputeReceipt from './migrations/0032_dispute_receipt.ts';
import * as officeReads from './migrations/0033_office_reads.ts';
import * as listingReview from './migrations/0034_listing_review.ts';
import * as propertyForm from './migrations/0035_property_form.ts';
import * as sellerDirectory from './migrations/0036_seller_directory.ts';
import * as strongSignIn from './migrations/0037_strong_sign_in.ts';
import * as inquiryOversight from './migrations/0038_inquiry_oversight.ts';
import * as attention from './migrations/0039_attention.ts';
import * as content from './migrations/0040_content.ts';
import * as buyerSuspension from './migrations/0048_buyer_suspension.ts';
import * as payouts from './migrations/0049_payouts.ts';
import * as payoutRuns from './migrations/0050_payout_runs.ts';
import * as stripeKeys from './migrations/0051_stripe_keys.ts';
import * as fees from './migrations/0052_fees.ts';
import * as sellerPayouts from './migrations/0053_seller_payouts.ts';
import * as transactionFiles from './migrations/0054_transaction_files.ts';
import * as transactions from './migrations/0055_transactions.ts';
import * as payoutSchedule from './migrations/0056_payout_schedule.ts';
import * as sandboxPayouts from './migrations/0057_sandbox_payouts.ts';
import * as commonWords from './migrations/0059_common_words.ts';
import * as reports from './migrations/0060_reports.ts';
import * as viewPartitions from './migrations/0061_view_partitions.ts';
import * as listingStatistics from './migrations/0062_listing_statistics.ts';
import * as weeklyReport from './migrations/0064_weekly_report.ts';
import * as documentOrigins from './migrations/0065_document_origins.ts';
import * as documentLists from './migrations/0066_document_lists.ts';
import * as closingDocuments from './migrations/0067_closing_documents.ts';
import * as ownership from './migrations/0068_ownership.ts';
import * as contentPins from './migrations/0069_content_pins.ts';
import * as chain from './migrations/0070_chain.ts';
import * as oldViewDays from './migrations/0073_old_view_days.ts';
import * as addressWords from './migrations/0074_address_words.ts';
import * as neighborhoods from './migrations/0075_neighborhoods.ts';
import * as searchNeighborhoods from './migrations/0076_search_neighborhoods.ts';
import * as savedPlaces from './migrations/0077_saved_places.ts';
import * as searchFilters from './migrations/0078_search_filters.ts';
import * as importTypes from './migrations/0080_import_types.ts';
import * as listingImports from './migrations/0081_listing_imports.ts';
import * as listingPlaces from './migrations/0082_listing_places.ts';
import * as remotePhotos from './migrations/0083_remote_photos.ts';
import * as tokenMetadata from './migrations/0084_token_metadata.ts';
import * as documentNames from './migrations/0085_document_names.ts';
import * as apiKeys from './migrations/0086_api_keys.ts';
import * as exchangeIndexes from './migrations/0087_exchange_indexes.ts';
import * as listingReports from './migrations/0088_listing_reports.ts';
import * as tours from './migrations/0090_tours.ts';
import * as messageFiles from './migrations/0091_message_files.ts';
import * as drawnAreas from './migrations/0093_drawn_areas.ts';
import * as searchSets from './migrations/0094_search_sets.ts';
import * as quickReplies from './migrations/0095_quick_replies.ts';
import * as suspensionOrder from './migrations/0096_suspension_order.ts';
import * as importTypeWords from './migrations/0097_import_type_words.ts';
import * as conversationOrder from './migrations/0098_conversation_order.ts';
import * as sessionEnd from './migrations/0099_session_end.ts';
import * as importPhotos from './migrations/0100_import_photos.ts';
import * as moneyBack from './migrations/0107_money_back.ts';
import * as openChargebacks from './migrations/0110_open_chargebacks.ts';
import * as breakApprovals from './migrations/0111_break_approvals.ts';
import * as testMoney from './migrations/0114_test_money.ts';
import * as searchPrefetch from './migrations/0117_search_prefetch.ts';
import * as totals from './migrations/0124_totals.ts';
import * as evidenceDocuments from './migrations/0125_evidence_documents.ts';
import * as providerCapabilities from './migrations/0126_provider_capabilities.ts';
import * as photoChanges from './migrations/0127_photo_changes.ts';
import * as removedDocuments from './migrations/0128_removed_documents.ts';
import * as documentVersions from './migrations/0129_document_versions.ts';
import * as registrationLinks from './migrations/0130_registration_links.ts';
import * as breakRefundPayments from './migrations/0132_break_refund_payments.ts';
import * as payoutMessages from './migrations/0133_payout_messages.ts';
import * as confirmedByHand from './migrations/0134_confirmed_by_hand.ts';
import * as owedSales from './migrations/0138_owed_sales.ts';
import * as paymentCounts from './migrations/0139_payment_counts.ts';
import * as searchDemand from './migrations/0140_search_demand.ts';
import * as draftsOfDeleted from './migrations/0141_drafts_of_deleted_listings.ts';
import * as paymentRefs from './migrations/0142_payment_refs.ts';
import * as watchesOfErased from './migrations/0143_watches_of_the_erased.ts';
import * as draftsWithPhotos from './migrations/0144_drafts_with_photos_left.ts';
import * as scheduleSetBy from './migrations/0145_schedule_set_by.ts';
import * as viewersOfErased from './migrations/0146_viewers_of_the_erased.ts';
import * as tokensAndFormerSellers from './migrations/0147_tokens_and_former_sellers.ts';
import * as ledgerChecks from './migrations/0148_ledger_checks.ts';
import * as mailsOfErased from './migrations/0149_mails_of_the_erased.ts';
import * as tokenWallets from './migrations/0150_token_wallets.ts';
import * as documentsOfSellers from './migrations/0151_documents_of_sellers.ts';
import * as payoutRunWithheld from './migrations/0152_payout_run_withheld.ts';
import * as scheduledRunsNotApproved from './migrations/0153_scheduled_runs_not_approved.ts';
import * as moneyThatReturns from './migrations/0162_money_that_returns.ts';
import * as bankRefunds from './migrations/0163_bank_refunds.ts';
import * as toursOfProperty from './migrations/0167_tours_of_property.ts';
import * as heldDocuments from './migrations/0169_held_documents.ts';
import * as sellerAccountsOfOurs from './migrations/0171_seller_accounts_of_ours.ts';
import * as mailsThatCameBack from './migrations/0174_mails_that_came_back.ts';
import * as totalSums from './migrations/0175_total_sums.ts';
import * as officeLists from './migrations/0176_office_lists.ts';
import * as cityAndTypeIndexes from './migrations/0177_city_and_type_indexes.ts';
import * as returnedBankRefunds from './migrations/0178_returned_bank_refunds.ts';
import * as transactionFilters from './migrations/0179_transaction_filters.ts';

/** All migrations in order. A migration that has run anywhere is never edited. */
const migrations: Record<string, Migration> = {
  '0001_accounts': accounts,
  '0002_marketplace': marketplace,
  '0003_conversations': conversations,
  '0004_money': money,
  '0005_documents': documents,
  '0006_platform': platform,
  '0007_search': search,
  '0008_shared_reads': sharedReads,
  '0010_event_order': eventOrder,
  '0011_purchases': purchases,
  '0012_sandbox': sandbox,
  '0013_conversations_live': conversationsLive,
  '0014_saved_searches': savedSearches,
  '0015_sellers': sellers,
  '0016_listing_form': listingForm,
  '0017_photos': photos,
  '0018_listing_life_cycle': listingLifeCycle,
  '0019_payment_reconciliation': paymentReconciliation,
  '0020_admin_tasks': adminTasks,
  '0021_money_accounts': moneyAccounts,
  '0023_sandbox_books': sandboxBooks,
  '0024_deadlines': deadlines,
  '0025_reconciliation': reconciliation,
  '0026_audit_chain': auditChain,
  '0027_dispute_evidence': disputeEvidence,
  '0028_tranches': tranches,
  '0029_fee_order': feeOrder,
  '0030_sandbox_payment_method': sandboxPaymentMethod,
  '0031_readers': readers,
  '0032_dispute_receipt': disputeReceipt,
  '0033_office_reads': officeReads,
  '0034_listing_review': listingReview,
  '0035_property_form': propertyForm,
  '0036_seller_directory': sellerDirectory,
  '0037_strong_sign_in': strongSignIn,
  '0038_inquiry_oversight': inquiryOversight,
  '0039_attention': attention,
  '0040_content': content,
  '0048_buyer_suspension': buyerSuspension,
  '0049_payouts': payouts,
  '0050_payout_runs': payoutRuns,
  '0051_stripe_keys': stripeKeys,
  '0052_fees': fees,
  '0053_seller_payouts': sellerPayouts,
  '0054_transaction_files': transactionFiles,
  '0055_transactions': transactions,
  '0056_payout_schedule': payoutSchedule,
  '0057_sandbox_payouts': sandboxPayouts,
  '0059_common_words': commonWords,
  '0060_reports': reports,
  '0061_view_partitions': viewPartitions,
  '0062_listing_statistics': listingStatistics,
  '0064_weekly_report': weeklyReport,
  '0065_document_origins': documentOrigins,
  '0066_document_lists': documentLists,
  '0067_closing_documents': closingDocuments,
  '0068_ownership': ownership,
  '0069_content_pins': contentPins,
  '0070_chain': chain,
  '0073_old_view_days': oldViewDays,
  '0074_address_words': addressWords,
  '0075_neighborhoods': neighborhoods,
  '0076_search_neighborhoods': searchNeighborhoods,
  '0077_saved_places': savedPlaces,
  '0078_search_filters': searchFilters,
  '0080_import_types': importTypes,
  '0081_listing_imports': listingImports,
  '0082_listing_places': listingPlaces,
  '0083_remote_photos': remotePhotos,
  '0084_token_metadata': tokenMetadata,
  '0085_document_names': documentNames,
  '0086_api_keys': apiKeys,
  '0087_exchange_indexes': exchangeIndexes,
  '0088_listing_reports': listingReports,
  '0090_tours': tours,
  '0091_message_files': messageFiles,
  '0093_drawn_areas': drawnAreas,
  '0094_search_sets': searchSets,
  '0095_quick_replies': quickReplies,
  '0096_suspension_order': suspensionOrder,
  '0097_import_type_words': importTypeWords,
  '0098_conversation_order': conversationOrder,
  '0099_session_end': sessionEnd,
  '0100_import_photos': importPhotos,
  '0107_money_back': moneyBack,
  '0110_open_chargebacks': openChargebacks,
  '0111_break_approvals': breakApprovals,
  '0114_test_money': testMoney,
  '0117_search_prefetch': searchPrefetch,
  '0124_totals': totals,
  '0125_evidence_documents': evidenceDocuments,
  '0126_provider_capabilities': providerCapabilities,
  '0127_photo_changes': photoChanges,
  '0128_removed_documents': removedDocuments,
  '0129_document_versions': documentVersions,
  '0130_registration_links': registrationLinks,
  '0132_break_refund_payments': breakRefundPayments,
  '0133_payout_messages': payoutMessages,
  '0134_confirmed_by_hand': confirmedByHand,
  '0138_owed_sales': owedSales,
  '0139_payment_counts': paymentCounts,
  '0140_search_demand': searchDemand,
  '0141_drafts_of_deleted_listings': draftsOfDeleted,
  '0142_payment_refs': paymentRefs,
  '0143_watches_of_the_erased': watchesOfErased,
  '0144_drafts_with_photos_left': draftsWithPhotos,
  '0145_schedule_set_by': scheduleSetBy,
  '0146_viewers_of_the_erased': viewersOfErased,
  '0147_tokens_and_former_sellers': tokensAndFormerSellers,
  '0148_ledger_checks': ledgerChecks,
  // Last of its release: no mail can be queued from here until all that are pending have run.
  '0149_mails_of_the_erased': mailsOfErased,
  '0150_token_wallets': tokenWallets,
  '0151_documents_of_sellers': documentsOfSellers,
  '0152_payout_run_withheld': payoutRunWithheld,
  '0153_scheduled_runs_not_approved': scheduledRunsNotApproved,
  '0162_money_that_returns': moneyThatReturns,
  '0163_bank_refunds': bankRefunds,
  '0167_tours_of_property': toursOfProperty,
  '0169_held_documents': heldDocuments,
  '0171_seller_accounts_of_ours': sellerAccountsOfOurs,
  '0174_mails_that_came_back': mailsThatCameBack,
  '0175_total_sums': totalSums,
  '0176_office_lists': officeLists,
  '0177_city_and_type_indexes': cityAndTypeIndexes,
  '0178_returned_bank_refunds': returnedBankRefunds,
  '0179_transaction_filters': transactionFilters,
};

/** The names of all migrations of this build, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations);

const migrator = (database: Database) =>
  new Migrator({ db: database.q(), provider: { getMigrations: async () => migrations } });

/**
 * Migrates to the latest schema. When several processes call it at once, one does the work and the others wait.
 * @returns the names of the migrations that this call ran
 */
export async function migrate(database: Database): Promise<string[]> {
  const done = (await isMigrated(database)) ? [] : await runSteps(database);
  await installJobs(database);
  return done;
}

async function runSteps(database: Database): Promise<string[]> {
  const { error, results = [] } = await migrator(database).migrateToLatest();
  if (error) throw error;
  return results.map((result) => result.migrationName);
}

/** Migrates no further than to one migration, so that a test can show what a later one does to existing rows. */
export async function migrateTo(database: Database, last: string): Promise<void> {
  const { error } = await migrator(database).migrateTo(last);
  if (error) throw error;
}

/**
 * True when every migration of this build has run. Reads the migration table directly, because the migrator reads the
 * whole catalogue first, which takes a good part of a second on a cold embedded database.
 */
export async function isMigrated(database: Database): Promise<boolean> {
  const { rows } = await sql<{ recorded: boolean }>`
    select to_regclass('kysely_migration') is not null as recorded
  `.execute(database.q());
  if (!rows[0]?.recorded) return false;
  const steps = await sql<{ name: string }>`select name from kysely_migration`.execute(database.q());
  const done = new Set(steps.rows.map(({ name }) => name));
  return knownMigrations.every((name) => done.has(name));
}
