// Written by `npm run db:types` from the migrated schema.
import type { ColumnType, GeneratedAlways } from 'kysely';

type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U> ? ColumnType<S, I | undefined, U> : ColumnType<T, T | undefined, T>;
export type Timestamp = ColumnType<Date, Date | string, Date | string>;
export type Json = ColumnType<unknown, string, string>;

export interface AdminTaskNotesTable {
  id: GeneratedAlways<number>;
  task_id: string;
  author_id: string | null;
  text: string;
  created_at: Timestamp;
}

export interface AdminTasksTable {
  id: Generated<string>;
  kind: 'payment_mismatch' | 'payment_too_late' | 'problem_reported' | 'dispute_opened' | 'dispute_lost' | 'evidence_refused' | 'refund_failed' | 'refund_returned' | 'refund_overdue' | 'message_dead' | 'documents_overdue' | 'problem_overdue' | 'automatic_payouts' | 'audit_broken' | 'break_found' | 'reconciliation_overdue' | 'approvals_waiting' | 'conversation_reported' | 'payout_failed' | 'invitation_bounced' | 'jobs_dead' | 'mails_dead' | 'payout_overdue' | 'payout_disagrees' | 'treasury_short' | 'payout_run_waiting' | 'payouts_by_hand' | 'ownership_waiting' | 'listing_reported' | 'documents_removed' | 'ledger_broken' | 'scheduled_run_ended' | 'documents_held';
  subject_type: 'sale' | 'provider_event' | 'break' | 'provider' | 'provider_account' | 'audit_log' | 'review_queue' | 'inquiry' | 'agent' | 'job' | 'mail_outbox' | 'payout_run' | 'payout_schedule' | 'property' | 'ledger' | 'scanner';
  subject_id: string;
  severity: 'low' | 'high' | 'critical';
  detail: Generated<string>;
  due_at: Timestamp | null;
  assignee_id: string | null;
  created_at: Generated<Timestamp>;
  closed_at: Timestamp | null;
  closed_by: string | null;
  resolution: string | null;
  snoozed_until: Timestamp | null;
}

export interface AgentInvitationsTable {
  id: Generated<string>;
  agent_id: string;
  token_hash: string;
  status: Generated<'queued' | 'sent' | 'bounced'>;
  expires_at: Timestamp;
  used_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  purpose: Generated<'invitation' | 'inquiry'>;
}

export interface AgentsTable {
  id: Generated<string>;
  user_id: string | null;
  name: string;
  email: string;
  phone: string | null;
  commission_rate: number | null;
  status: Generated<'active' | 'suspended'>;
  status_reason: string | null;
  registered_at: Timestamp | null;
  is_registered: GeneratedAlways<boolean>;
  payout_status: Generated<'pending' | 'complete'>;
  preferred_payout_method: 'stripe' | 'paypal' | null;
  stripe_account_id: string | null;
  paypal_email: string | null;
  paypal_confirmed_at: Timestamp | null;
  payout_hold_until: Timestamp | null;
  archived_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  stripe_transfers_active: Generated<boolean>;
  stripe_requirement: string | null;
  display_status: GeneratedAlways<string>;
}

export interface AmenitiesTable {
  id: Generated<number>;
  name: string;
  created_at: Generated<Timestamp>;
}

export interface ApiKeyDaysTable {
  key_id: string;
  day: string;
  requests: Generated<number>;
  rows_sent: Generated<number>;
}

export interface ApiKeysTable {
  id: Generated<string>;
  owner_id: string;
  agent_id: string | null;
  name: string;
  prefix: string;
  secret_hash: string;
  scopes: string[];
  per_minute: number;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
  revoked_at: Timestamp | null;
}

export interface AuditChainTable {
  position: number;
  audit_id: number;
  hash: Buffer;
  chained_at: Timestamp;
}

export interface AuditLogTable {
  id: GeneratedAlways<number>;
  at: Generated<Timestamp>;
  actor_id: string | null;
  actor_role: string;
  action: string;
  entity: string;
  entity_id: string;
  before: Json | null;
  after: Json | null;
  request_id: string;
  ip: string | null;
}

export interface AuthenticatorsTable {
  user_id: string;
  secret: string;
  last_step: number;
  created_at: Generated<Timestamp>;
  last_used_at: Timestamp | null;
}

export interface BreakApprovalsTable {
  id: Generated<string>;
  break_id: string;
  amount_cents: number;
  reason: string;
  requested_by: string;
  requested_at: Generated<Timestamp>;
  decision: 'approved' | 'declined' | 'withdrawn' | null;
  decided_by: string | null;
  decided_at: Timestamp | null;
  account: Generated<'write_offs' | 'processing_cost' | 'dispute_fees' | 'chargeback_loss' | null>;
}

export interface BreakRefundsTable {
  id: Generated<string>;
  break_id: string;
  provider_account_id: string;
  checkout_ref: string | null;
  amount_cents: number;
  reason: string;
  idempotency_key: string;
  status: Generated<'pending' | 'sent' | 'arrived' | 'failed'>;
  provider_ref: string | null;
  failure_reason: string | null;
  requested_by: string | null;
  created_at: Generated<Timestamp>;
  settled_at: Timestamp | null;
  payment_ref: string | null;
}

export interface BreaksTable {
  id: Generated<string>;
  kind: string;
  subject: string;
  sale_id: string | null;
  provider_account_id: string | null;
  expected_cents: number | null;
  actual_cents: number | null;
  detail: Generated<string>;
  evidence: Generated<Json>;
  freezes: Generated<boolean>;
  state: Generated<'open' | 'awaiting_approval' | 'resolved'>;
  resolution: string | null;
  note: string | null;
  resolved_by: string | null;
  created_at: Generated<Timestamp>;
  resolved_at: Timestamp | null;
  provider_transaction_id: string | null;
  posting_ids: Generated<number[]>;
  approved_by: string | null;
}

export interface ChainTransactionsTable {
  id: Generated<string>;
  kind: 'anchor' | 'mint' | 'transfer' | 'deploy' | 'pause' | 'unpause' | 'base_uri';
  network: string | null;
  state: Generated<'queued' | 'signed' | 'mined' | 'final' | 'failed'>;
  nft_id: string | null;
  call: Generated<Json>;
  sender: string | null;
  contract: string | null;
  nonce: number | null;
  signed: Generated<Json>;
  hash: string | null;
  block_number: number | null;
  block_hash: string | null;
  block_time: Timestamp | null;
  failure_reason: string | null;
  tries: Generated<number>;
  next_at: Generated<Timestamp>;
  signed_at: Timestamp | null;
  requested_by: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface ClearingMatchesTable {
  id: GeneratedAlways<number>;
  posting_id: number;
  provider_transaction_id: string | null;
  break_id: string | null;
  matched_at: Generated<Timestamp>;
}

export interface ClosedMonthsTable {
  month: string;
  closed_at: Timestamp;
}

export interface ClosingDocumentsTable {
  id: GeneratedAlways<number>;
  kind: 'receipt' | 'settlement' | 'statement';
  sale_id: string | null;
  statement_id: string | null;
  document_id: string | null;
  attempts: Generated<number>;
  asked_at: Generated<Timestamp>;
}

export interface CommissionSettingsTable {
  id: Generated<number>;
  admin_percentage: Generated<number>;
  updated_by: string | null;
  updated_at: Generated<Timestamp>;
  effective_from: string | null;
  next_percentage: number | null;
  next_from: string | null;
}

export interface CompletionNftsTable {
  id: Generated<string>;
  kind: 'property' | 'completion';
  property_id: string;
  property_sale_id: string | null;
  document_id: string | null;
  token_id: Generated<number>;
  base_tx_hash: Generated<string>;
  network: string | null;
  recipient_address: string;
  status: Generated<'pending' | 'confirmed' | 'failed'>;
  failure_reason: string | null;
  metadata: Generated<Json>;
  signed_transactions: Generated<Json>;
  created_at: Generated<Timestamp>;
  search_text: Generated<string>;
  custody: Generated<boolean>;
  token_metadata: string | null;
  metadata_cid: string | null;
  requested_by: string | null;
  confirmed_at: Timestamp | null;
}

export interface ContentPinsTable {
  cid: string;
  documents: Generated<number>;
  tests: Generated<number>;
  byte_size: number;
  status: Generated<'waiting' | 'pinned' | 'failed' | 'unpinning' | 'unpin_failed' | 'unpinned'>;
  reason: string | null;
  attempts: Generated<number>;
  due_at: Generated<Timestamp>;
  touched: Generated<boolean>;
  leased_until: Timestamp | null;
  pinned_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  tokens: Generated<number>;
  is_test: GeneratedAlways<boolean>;
}

export interface CredentialsTable {
  id: Generated<string>;
  user_id: string;
  account_id: string;
  provider_id: string;
  password: string | null;
  access_token: string | null;
  refresh_token: string | null;
  id_token: string | null;
  access_token_expires_at: Timestamp | null;
  refresh_token_expires_at: Timestamp | null;
  scope: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface DisputeEvidenceTable {
  id: Generated<string>;
  dispute_id: string;
  dispute_kind: 'inquiry' | 'chargeback';
  state: 'pending' | 'submitted' | 'refused' | 'conceded';
  texts: Generated<Json>;
  reason: string | null;
  requested_by: string | null;
  created_at: Generated<Timestamp>;
  submitted_at: Timestamp | null;
  receipt: Buffer | null;
  documents: Generated<Json>;
}

export interface DisputesTable {
  id: Generated<string>;
  sale_id: string;
  opened_by: string | null;
  provider_ref: string | null;
  reason: string;
  status: Generated<'open' | 'won' | 'lost' | 'withdrawn'>;
  evidence_due_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  closed_at: Timestamp | null;
  kind: Generated<'problem' | 'inquiry' | 'chargeback'>;
  amount_cents: number | null;
  fee_cents: Generated<number>;
  withdrawn_cents: Generated<number>;
}

export interface DocumentAnchorsTable {
  id: Generated<string>;
  document_id: string;
  network: string | null;
  anchor_hash: string;
  transaction_id: string | null;
  proof: string[] | null;
  requested_at: Generated<Timestamp>;
}

export interface DocumentRegistryTable {
  id: Generated<string>;
  property_id: string | null;
  property_sale_id: string | null;
  document_name: string;
  document_type: string;
  version: Generated<number>;
  visibility: Generated<'private' | 'public'>;
  file_key: string;
  content_type: string;
  byte_size: number;
  sha256: string;
  cid: string | null;
  network: string | null;
  base_tx_hash: string | null;
  status: Generated<'pending' | 'confirmed' | 'failed' | 'revoked'>;
  failure_reason: string | null;
  is_test: Generated<boolean>;
  uploaded_by: string | null;
  created_at: Generated<Timestamp>;
  scan: Generated<'unchecked' | 'clean' | 'held'>;
  scan_attempts: Generated<number>;
  agent_id: string | null;
  origin: Generated<'uploaded' | 'made'>;
  shown_to: Generated<'office' | 'buyer' | 'seller' | 'parties'>;
  number: string | null;
  salt: string | null;
  anchor_hash: GeneratedAlways<string>;
  search_text: Generated<string>;
  erased_at: Timestamp | null;
}

export interface HomepageContentTable {
  id: Generated<number>;
  hero_title: string;
  hero_subtitle: string;
  hero_image_id: string | null;
  updated_by: string | null;
  updated_at: Generated<Timestamp>;
}

export interface IdempotentRequestsTable {
  key: string;
  actor: string;
  operation: string;
  request_hash: string;
  response: Json | null;
  created_at: Generated<Timestamp>;
}

export interface InquiryMessagesTable {
  id: Generated<string>;
  inquiry_id: string;
  sender_id: string;
  message: string;
  is_read: Generated<boolean>;
  read_at: Timestamp | null;
  client_key: string | null;
  created_at: Generated<Timestamp>;
  awaits_digest: Generated<boolean>;
}

export interface InquiryReportsTable {
  id: Generated<string>;
  inquiry_id: string;
  reported_by: string;
  reason: string;
  resolved_at: Timestamp | null;
  created_at: Generated<Timestamp>;
  decision: 'warned' | 'suspended' | 'closed' | null;
  decided_by: string | null;
  decision_note: string | null;
}

export interface InquiryStatesTable {
  id: string | null;
  property_id: string | null;
  state: string | null;
  first_reply_at: Timestamp | null;
}

export interface LedgerAccountsTable {
  code: string;
  name: string;
  kind: 'asset' | 'liability' | 'revenue' | 'expense';
}

export interface LedgerEntriesTable {
  id: GeneratedAlways<number>;
  idempotency_key: string;
  kind: 'L1' | 'L2' | 'L3' | 'L4' | 'L5' | 'L6' | 'L7' | 'L8' | 'L9';
  sale_id: string | null;
  memo: Generated<string>;
  created_at: Generated<Timestamp>;
}

export interface LedgerPostingsTable {
  id: GeneratedAlways<number>;
  entry_id: number;
  account: string;
  amount_cents: number;
  provider_account_id: string | null;
}

export interface ListingArrivalsTable {
  property_id: string;
  arrived_at: Timestamp;
}

export interface ListingDaysTable {
  property_id: string;
  day: string;
  views: number;
  watches: number;
  inquiries: number;
}

export interface ListingImportRefusalsTable {
  import_id: string;
  step: 'check' | 'import';
  line: number;
  column_name: string | null;
  reason: string;
  detail: string | null;
}

export interface ListingImportRowsTable {
  import_id: string;
  line: number;
  property_id: string;
  outcome: 'added' | 'changed' | 'pictured';
  before: Json | null;
  fingerprint: string;
  at: Timestamp;
  undone: 'removed' | 'restored' | 'spared' | null;
  spared_because: string | null;
}

export interface ListingImportsTable {
  id: Generated<string>;
  agent_id: string | null;
  made_by: string | null;
  made_as: 'agent' | 'admin';
  first_status: Generated<'pending' | 'Active'>;
  file_name: string;
  file_parts: Generated<number>;
  file_format: 'csv' | 'json';
  byte_size: number;
  description: Json;
  mapping: Generated<Json>;
  activate_types: Generated<boolean>;
  types: Generated<Json>;
  same_home: Generated<'ask' | 'merge' | 'keep'>;
  status: Generated<'uploaded' | 'checking' | 'checked' | 'running' | 'stopped' | 'done' | 'undoing' | 'undone'>;
  problem: string | null;
  rows_total: Generated<number>;
  rows_done: Generated<number>;
  resume_line: Generated<number>;
  check_added: Generated<number>;
  check_changed: Generated<number>;
  check_unchanged: Generated<number>;
  check_refused: Generated<number>;
  added: Generated<number>;
  changed: Generated<number>;
  unchanged: Generated<number>;
  refused: Generated<number>;
  notes: Generated<Json>;
  removed: Generated<number>;
  restored: Generated<number>;
  spared: Generated<number>;
  leased_until: Timestamp | null;
  lease: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  started_at: Timestamp | null;
  finished_at: Timestamp | null;
  undone_at: Timestamp | null;
  type_words: Generated<Json>;
  pictured: Generated<number>;
}

export interface ListingPlacesTable {
  property_id: string;
  import_id: string | null;
  status: Generated<'waiting' | 'found' | 'unknown'>;
  attempts: Generated<number>;
  due_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface ListingReportsTable {
  id: Generated<string>;
  property_id: string;
  reported_by: string | null;
  reason: 'scam' | 'wrong' | 'unavailable' | 'duplicate' | 'offensive' | 'other';
  details: Generated<string>;
  key: string;
  created_at: Generated<Timestamp>;
}

export interface LiveEventsTable {
  id: GeneratedAlways<number>;
  audience: string;
  type: string;
  payload: Json;
  created_at: Generated<Timestamp>;
  transaction_id: Generated<string>;
}

export interface MailOutboxTable {
  id: Generated<string>;
  idempotency_key: string;
  to_address: string;
  to_name: string | null;
  subject: string;
  text_body: string;
  html_body: string;
  status: Generated<'queued' | 'sent' | 'dead' | 'dropped'>;
  attempts: Generated<number>;
  last_error: string | null;
  message_id: string | null;
  created_at: Generated<Timestamp>;
  sent_at: Timestamp | null;
  unsubscribe_url: string | null;
  calendar_method: 'REQUEST' | 'CANCEL' | null;
  calendar_file: string | null;
  erased_address: string | null;
}

export interface MessageFilesTable {
  id: Generated<string>;
  message_id: string;
  file_key: string;
  name: string;
  kind: 'photo' | 'pdf';
  byte_size: number;
  sha256: string;
  scan: 'clean' | 'unchecked';
  created_at: Generated<Timestamp>;
}

export interface NotificationPreferencesTable {
  user_id: string;
  mail_property_updates: Generated<boolean>;
  mail_messages: Generated<boolean>;
  mail_saved_searches: Generated<boolean>;
  digest_hour: Generated<number>;
  updated_at: Generated<Timestamp>;
  time_zone: string | null;
  mail_weekly_report: Generated<boolean>;
  weekly_report_week: string | null;
}

export interface OwnershipProofsTable {
  id: Generated<string>;
  property_id: string;
  agent_id: string;
  document_id: string | null;
  owner_name: string | null;
  parcel_number: string | null;
  note: Generated<string>;
  address: string;
  status: Generated<'waiting' | 'verified' | 'refused' | 'withdrawn' | 'replaced'>;
  reason: string | null;
  withdrawn_for: 'address' | 'seller' | 'deleted' | 'malware' | null;
  uploaded_by: string | null;
  created_at: Generated<Timestamp>;
  decided_by: string | null;
  decided_at: Timestamp | null;
  ended_at: Timestamp | null;
  erased_at: Timestamp | null;
}

export interface PasskeysTable {
  id: Generated<string>;
  user_id: string;
  credential_id: string;
  public_key: Buffer;
  counter: number;
  transports: Generated<string>;
  name: string;
  created_at: Generated<Timestamp>;
  last_used_at: Timestamp | null;
}

export interface PayoutItemsTable {
  payout_id: string;
  provider_ref: string;
  amount_cents: number;
  returned_cents: Generated<number>;
  status: 'processing' | 'paid' | 'failed' | 'returned';
  failure: string | null;
}

export interface PayoutOffsetsTable {
  payout_id: string;
  sale_id: string;
  amount_cents: number;
}

export interface PayoutReversalsTable {
  id: Generated<string>;
  payout_id: string;
  sale_id: string;
  amount_cents: number;
  status: Generated<'pending' | 'succeeded' | 'failed'>;
  idempotency_key: string;
  provider_refs: Generated<string[]>;
  failure_reason: string | null;
  created_at: Timestamp;
  settled_at: Timestamp | null;
}

export interface PayoutRunItemsTable {
  run_id: string;
  sale_id: string;
  position: number;
  agent_id: string;
  method: 'stripe' | 'paypal' | 'manual' | null;
  amount_cents: number;
  status: 'waiting' | 'started' | 'refused' | 'dropped';
  payout_id: string | null;
  refusal: string | null;
  refused_until: Timestamp | null;
  ended_at: Timestamp | null;
  withheld_cents: Generated<number>;
}

export interface PayoutRunsTable {
  id: Generated<string>;
  idempotency_key: string;
  origin: 'administrator' | 'schedule';
  status: 'awaiting_approval' | 'running' | 'finished' | 'declined' | 'expired';
  payout_count: number;
  total_cents: number;
  requested_by: string | null;
  requested_at: Timestamp;
  approval_limit_cents: number | null;
  approver_id: string | null;
  expires_at: Timestamp | null;
  decided_by: string | null;
  decided_at: Timestamp | null;
  decline_reason: string | null;
  finished_at: Timestamp | null;
  schedule_set_by: string | null;
}

export interface PayoutsTable {
  id: Generated<string>;
  sale_id: string;
  agent_id: string;
  amount_cents: number;
  method: 'stripe' | 'paypal' | 'manual';
  destination: string;
  provider_ref: string | null;
  status: Generated<'processing' | 'completed' | 'failed'>;
  idempotency_key: string;
  failure_reason: string | null;
  started_by: string | null;
  created_at: Generated<Timestamp>;
  settled_at: Timestamp | null;
  attempt: Generated<number>;
  run_id: string | null;
  provider: string | null;
  provider_account_id: string | null;
  livemode: Generated<boolean>;
  sources: Generated<Json>;
  netted_cents: Generated<number>;
  paid_cents: Generated<number>;
  returned_cents: Generated<number>;
  reversed_cents: Generated<number>;
  fee_cents: Generated<number>;
  failure: string | null;
  arrives_at: Timestamp | null;
  sent_at: Timestamp | null;
  asked_at: Timestamp | null;
  next_ask_at: Timestamp | null;
  ask_failures: Generated<number>;
  bank_reference: string | null;
  recorded_by: string | null;
  recorded_at: Timestamp | null;
  confirmed_by: string | null;
}

export interface PlatformSettingsTable {
  setting_name: string;
  setting_value: Json;
  updated_by: string | null;
  updated_at: Generated<Timestamp>;
}

export interface PolicyVersionsTable {
  policy: 'terms' | 'privacy';
  version: number;
  body: string;
  published_at: Generated<Timestamp>;
  published_by: string | null;
}

export interface ProfilesTable {
  id: string;
  role: Generated<'buyer' | 'agent' | 'admin'>;
  user_type: GeneratedAlways<string>;
  must_change_password: Generated<boolean>;
  created_at: Generated<Timestamp>;
  time_zone: string | null;
  suspended_at: Timestamp | null;
  suspension_reason: string | null;
  wallet_address: string | null;
}

export interface PropertiesTable {
  id: Generated<string>;
  agent_id: string;
  source_id: string | null;
  type_id: number | null;
  title: string | null;
  address: string;
  city: Generated<string>;
  state: Generated<string>;
  zip: Generated<string>;
  description: Generated<string>;
  price_cents: number;
  bedrooms: number | null;
  bathrooms: number | null;
  half_baths: Generated<number>;
  square_feet: number | null;
  lot_square_feet: number | null;
  year_built: number | null;
  latitude: number | null;
  longitude: number | null;
  location_precision: 'pin' | 'rooftop' | 'street' | 'zip' | 'zip3' | 'city' | null;
  status: Generated<'pending' | 'Active' | 'escrow' | 'Sold' | 'rejected' | 'changes_requested' | 'withdrawn'>;
  review_note: string | null;
  featured_slot: number | null;
  featured_at: Timestamp | null;
  is_featured: GeneratedAlways<boolean>;
  seller_suspended: Generated<boolean>;
  is_public: GeneratedAlways<boolean>;
  views: Generated<number>;
  listed_at: Timestamp | null;
  off_market_at: Timestamp | null;
  paused_at: Timestamp | null;
  paused_seconds: Generated<number>;
  changed_since_approval_at: Timestamp | null;
  survey_document_path: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  deleted_at: Timestamp | null;
  draft_id: string | null;
  needs_approval_since: Timestamp | null;
  last_public_cents: number | null;
  submitted_at: Timestamp | null;
  neighborhood: string | null;
  mls_name: string | null;
  mls_number: string | null;
  photos_changed_at: Timestamp | null;
}

export interface PropertyAmenitiesTable {
  property_id: string;
  amenity_id: number;
}

export interface PropertyChangesTable {
  id: GeneratedAlways<number>;
  property_id: string;
  changed_by: string | null;
  field: string;
  previous_value: string | null;
  new_value: string | null;
  reason: string | null;
  created_at: Generated<Timestamp>;
}

export interface PropertyDraftsTable {
  id: Generated<string>;
  agent_id: string | null;
  property_id: string | null;
  form: Json;
  updated_at: Generated<Timestamp>;
  version: Generated<number>;
  base: Json | null;
  admin_id: string | null;
}

export interface PropertyImagesTable {
  id: Generated<string>;
  property_id: string | null;
  image_id: string;
  is_main: Generated<boolean>;
  position: Generated<number>;
  caption: Generated<string>;
  alt: Generated<string>;
  created_at: Generated<Timestamp>;
  draft_id: string | null;
  upload_key: string | null;
  changed_at: Timestamp | null;
}

export interface PropertyInquiriesTable {
  id: Generated<string>;
  property_id: string;
  user_id: string;
  message: string;
  status: Generated<'pending' | 'resolved'>;
  first_reply_at: Timestamp | null;
  last_message_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  client_key: string | null;
  opened_at: Timestamp | null;
  state: Generated<'pending' | 'buyer_reply' | 'seller_replied' | 'agent_replied'>;
  search_text: Generated<string>;
}

export interface PropertyNotificationsTable {
  id: Generated<string>;
  user_id: string;
  property_id: string;
  notification_type: 'price_change' | 'status_change' | 'tour';
  message: string;
  previous_value: string | null;
  new_value: string | null;
  is_read: Generated<boolean>;
  created_at: Generated<Timestamp>;
  settles_at: Generated<Timestamp>;
  mail_due: Generated<boolean>;
  price_with_fees: Generated<boolean>;
}

export interface PropertySalesTable {
  id: Generated<string>;
  property_id: string;
  buyer_id: string;
  agent_id: string;
  sale_price_cents: number;
  buyer_fees_cents: Generated<number>;
  seller_fees_cents: Generated<number>;
  total_cents: GeneratedAlways<number>;
  admin_percentage: number;
  agent_commission_cents: number;
  admin_fee_cents: GeneratedAlways<number>;
  payment_method: 'card' | 'crypto';
  provider: string;
  provider_session_id: string | null;
  provider_payment_id: string | null;
  stripe_payment_intent_id: string | null;
  checkout_url: string | null;
  livemode: Generated<boolean>;
  network: string | null;
  tx_hash: string | null;
  stripe_payment_status: Generated<'pending' | 'processing' | 'completed' | 'failed' | 'refunded'>;
  escrow_status: Generated<'pending' | 'in_escrow' | 'completed' | 'cancelled'>;
  payout_status: 'pending' | 'processing' | 'completed' | 'failed' | null;
  payout_date: Timestamp | null;
  payment_receipt_url: string | null;
  sale_date: Timestamp | null;
  locked_until: Timestamp | null;
  release_due_at: Timestamp | null;
  documents_delivered_at: Timestamp | null;
  cancellation_requested_at: Timestamp | null;
  frozen_at: Timestamp | null;
  failure_reason: string | null;
  idempotency_key: string;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  receipt_number: number | null;
  provider_fee_cents: number | null;
  provider_receipt_url: string | null;
  cancellation_requested_by: 'buyer' | 'seller' | 'admin' | null;
  asked_at: Timestamp | null;
  next_ask_at: Generated<Timestamp | null>;
  ask_failures: Generated<number>;
  provider_account_id: string | null;
  returned_base_cents: Generated<number>;
  returned_fees_cents: Generated<number>;
  documents_due_at: Timestamp | null;
  documents_check_at: Timestamp | null;
  documents_overdue_at: Timestamp | null;
  paid_with: 'card' | 'bank' | 'chain' | 'transfer' | null;
  released_at: Timestamp | null;
  list_status: GeneratedAlways<string>;
  paid_by: GeneratedAlways<string>;
  share_left_cents: GeneratedAlways<number>;
  total_fees_cents: GeneratedAlways<number>;
  property_gone_at: Timestamp | null;
}

export interface PropertyTypesTable {
  id: Generated<number>;
  name: string;
  slug: string;
  old_slugs: Generated<string[]>;
  is_active: Generated<boolean>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface PropertyViewDaysTable {
  property_id: string;
  day: string;
  viewer: string;
}

export interface PropertyViewEventsTable {
  id: Generated<number>;
  property_id: string;
  user_id: string | null;
  viewer: string;
  viewed_at: Generated<Timestamp>;
}

export interface PropertyViewsTable {
  id: Generated<string>;
  user_id: string;
  property_id: string;
  viewed_at: Generated<Timestamp>;
}

export interface PropertyWatchesTable {
  user_id: string;
  property_id: string;
  created_at: Generated<Timestamp>;
}

export interface ProviderAccountsTable {
  id: Generated<string>;
  provider: string;
  livemode: boolean;
  account_ref: string | null;
  created_at: Generated<Timestamp>;
}

export interface ProviderCapabilitiesTable {
  provider: string;
  livemode: boolean;
  account_ref: string;
  bank_debits: boolean | null;
  bank_transfers: boolean | null;
  checked_at: Timestamp;
}

export interface ProviderEventsTable {
  id: GeneratedAlways<number>;
  provider: string;
  event_id: string;
  event_type: string;
  payload: Json;
  status: Generated<'received' | 'processed' | 'ignored' | 'dead'>;
  attempts: Generated<number>;
  last_error: string | null;
  received_at: Generated<Timestamp>;
  processed_at: Timestamp | null;
  ref: string | null;
  payment_ref: string | null;
  next_attempt_at: Generated<Timestamp>;
  payout_key: string | null;
  payout_account: string | null;
  livemode: boolean | null;
  account_ref: string | null;
}

export interface ProviderTransactionsTable {
  id: Generated<string>;
  provider_account_id: string;
  ref: string;
  kind: 'payment' | 'refund' | 'refund_return' | 'dispute' | 'dispute_return' | 'fee' | 'bank_payout' | 'bank_payout_return' | 'transfer' | 'transfer_return' | 'adjustment';
  amount_cents: number;
  fee_cents: number;
  currency: string;
  checkout_ref: string | null;
  payment_ref: string | null;
  object_ref: string | null;
  stated_sale: string | null;
  booked_at: Timestamp;
  stored_at: Generated<Timestamp>;
  sale_id: string | null;
  amount_settled_at: Timestamp | null;
  fee_settled_at: Timestamp | null;
}

export interface QuickRepliesTable {
  id: Generated<string>;
  agent_id: string;
  name: string;
  text: string;
  version: Generated<number>;
  created_at: Generated<Timestamp>;
}

export interface RateLimitsTable {
  bucket: string;
  window_start: Timestamp;
  hits: number;
}

export interface ReconciliationRunsTable {
  id: Generated<string>;
  provider_account_id: string;
  from_at: Timestamp;
  to_at: Timestamp;
  cursor: string | null;
  state: Generated<'running' | 'finished' | 'failed'>;
  runner: string;
  seen_at: Timestamp;
  listed: Generated<number>;
  stored: Generated<number>;
  stored_cents: Generated<number>;
  matched: Generated<number>;
  matched_cents: Generated<number>;
  breaks_opened: Generated<number>;
  breaks_closed: Generated<number>;
  theirs_cents: number | null;
  ours_cents: number | null;
  pending_cents: number | null;
  failure: string | null;
  started_at: Timestamp;
  finished_at: Timestamp | null;
}

export interface RecoveryCodesTable {
  user_id: string;
  code_hash: string;
  created_at: Generated<Timestamp>;
  used_at: Timestamp | null;
}

export interface RefundsTable {
  id: Generated<string>;
  sale_id: string;
  amount_cents: number;
  reason: string;
  provider_ref: string | null;
  status: Generated<'pending' | 'succeeded' | 'failed'>;
  idempotency_key: string;
  requested_by: string | null;
  failure_reason: string | null;
  created_at: Generated<Timestamp>;
  settled_at: Timestamp | null;
  origin: Generated<'platform' | 'provider' | 'bank'>;
  base_cents: number;
  fees_cents: number;
  suspense_cents: Generated<number>;
  request_key: string | null;
  bank_reference: string | null;
  recorded_by: string | null;
  recorded_at: Timestamp | null;
  confirmed_by: string | null;
  withdrawn_at: Timestamp | null;
}

export interface RemotePhotosTable {
  id: Generated<string>;
  property_id: string;
  import_id: string | null;
  url: string;
  position: number;
  status: Generated<'waiting' | 'added' | 'skipped' | 'failed'>;
  reason: string | null;
  attempts: Generated<number>;
  due_at: Generated<Timestamp>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface ReportDaysTable {
  metric: string;
  day: string;
  upto: number[];
  total: GeneratedAlways<number>;
}

export interface ReportEventsTable {
  id: GeneratedAlways<number>;
  metric: string;
  at: Timestamp;
  value: number;
  property_id: string | null;
  band: number | null;
  viewer: number | null;
  term: string | null;
  results: number | null;
}

export interface ReportMarketTable {
  kind: 'type' | 'price' | 'state';
  term: string;
  listings: number;
  counted_at: Timestamp;
}

export interface ReportTermsTable {
  kind: 'words' | 'type' | 'price';
  span: 'day' | 'month';
  start: string;
  term: string;
  searches: number;
  empty: number;
  results: number | null;
  at: Timestamp;
}

export interface ReportViewersTable {
  day: string;
  viewer: number;
}

export interface SaleEventsTable {
  id: GeneratedAlways<number>;
  sale_id: string;
  event: string;
  actor_id: string | null;
  actor_role: string;
  before: Json;
  after: Json;
  note: string | null;
  created_at: Generated<Timestamp>;
}

export interface SaleSearchTable {
  sale_id: string;
  address: string;
  seller: string;
  words: string;
}

export interface SaleTranchesTable {
  sale_id: string;
  provider_ref: string;
  amount_cents: number;
  received_at: Timestamp;
}

export interface SandboxAccountsTable {
  id: GeneratedAlways<number>;
  ref: string;
  account: string;
  livemode: boolean;
  agent_id: string;
  email: string;
  name: string;
  submitted_at: Timestamp | null;
  transfers_active: Generated<boolean>;
  requirement: string | null;
  balance_cents: Generated<number>;
  created_at: Timestamp;
}

export interface SandboxCheckoutsTable {
  ref: string;
  method: 'card' | 'crypto';
  sale_id: string;
  request: Json;
  amount_cents: number;
  status: Generated<'open' | 'processing' | 'paid' | 'failed' | 'expired' | 'canceled'>;
  paid_by: 'card' | 'bank' | 'chain' | 'transfer' | null;
  payment_ref: string | null;
  tx_hash: string | null;
  network: string | null;
  fee_cents: number | null;
  notice: string | null;
  bank_limit_cents: number | null;
  settle_after_ms: number;
  settle_at: Timestamp | null;
  expires_at: Timestamp;
  paid_at: Timestamp | null;
  created_at: Timestamp;
  account: Generated<string>;
  livemode: Generated<boolean>;
  available_after_ms: Generated<number>;
  in_parts: Generated<boolean>;
  received_cents: Generated<number>;
}

export interface SandboxDeliveriesTable {
  id: GeneratedAlways<number>;
  event_id: string;
  method: 'card' | 'crypto' | 'connect' | 'paypal';
  type: string;
  ref: string;
  payload: string;
  created_at: Timestamp;
  next_attempt_at: Timestamp | null;
  delivered_at: Timestamp | null;
  attempts: Generated<number>;
  last_error: string | null;
  repeats: Generated<number>;
}

export interface SandboxDisputesTable {
  id: GeneratedAlways<number>;
  ref: string;
  checkout_ref: string;
  kind: 'inquiry' | 'chargeback';
  status: Generated<'open' | 'won' | 'lost'>;
  amount_cents: number;
  returned_cents: Generated<number>;
  fee_cents: Generated<number>;
  reason: string;
  evidence_due_at: Timestamp | null;
  evidence: Json | null;
  answered_at: Timestamp | null;
  created_at: Timestamp;
}

export interface SandboxKeysTable {
  method: 'card' | 'crypto' | 'paypal';
  key: string;
  fingerprint: string;
  answer: Json | null;
  created_at: Timestamp;
  account: Generated<string>;
  livemode: Generated<boolean>;
}

export interface SandboxOnboardingLinksTable {
  token: string;
  account_ref: string;
  return_url: string;
  refresh_url: string;
  expires_at: Timestamp;
  used_at: Timestamp | null;
}

export interface SandboxPayoutItemsTable {
  id: GeneratedAlways<number>;
  ref: string;
  payout_id: number;
  amount_cents: number;
  fee_cents: Generated<number>;
  source_ref: string | null;
  state: 'pending' | 'onhold' | 'unclaimed' | 'success' | 'returned' | 'refunded' | 'reversed' | 'blocked' | 'failed';
  returned_cents: Generated<number>;
  failure: 'account_inactive' | 'destination_unknown' | 'limit' | 'other' | null;
  settle_at: Timestamp | null;
  created_at: Timestamp;
}

export interface SandboxPayoutsTable {
  id: GeneratedAlways<number>;
  ref: string;
  method: 'card' | 'paypal';
  account: string;
  livemode: boolean;
  key: string;
  sale_id: string;
  amount_cents: number;
  destination: string;
  description: string;
  fingerprint: string;
  refusal: 'account_inactive' | 'destination_unknown' | 'balance_short' | 'limit' | 'other' | null;
  arrives_at: Timestamp | null;
  created_at: Timestamp;
}

export interface SandboxRefundsTable {
  ref: string;
  checkout_ref: string;
  amount_cents: number;
  status: Generated<'pending' | 'requires_action' | 'succeeded' | 'failed'>;
  reason: string;
  key: string | null;
  settle_at: Timestamp;
  created_at: Timestamp;
  waiting: Generated<boolean>;
  batch: string | null;
  tranche_ref: string | null;
}

export interface SandboxReversalsTable {
  id: GeneratedAlways<number>;
  ref: string;
  item_ref: string;
  key: string;
  amount_cents: number;
  created_at: Timestamp;
}

export interface SandboxTranchesTable {
  id: GeneratedAlways<number>;
  ref: string;
  checkout_ref: string;
  amount_cents: number;
  fee_cents: number;
  created_at: Timestamp;
}

export interface SandboxTransactionsTable {
  id: GeneratedAlways<number>;
  ref: string;
  method: 'card' | 'crypto' | 'paypal';
  account: string;
  livemode: boolean;
  kind: 'payment' | 'refund' | 'refund_return' | 'dispute' | 'dispute_return' | 'fee' | 'bank_payout' | 'bank_payout_return' | 'transfer' | 'transfer_return' | 'adjustment';
  amount_cents: number;
  fee_cents: Generated<number>;
  checkout_ref: string | null;
  payment_ref: string | null;
  object_ref: string | null;
  sale_id: string | null;
  created_at: Timestamp;
  available_at: Timestamp;
}

export interface SavedSearchMailsTable {
  user_id: string;
  property_id: string;
  mailed_at: Timestamp;
}

export interface SavedSearchMatchesTable {
  search_id: string;
  property_id: string;
  matched_at: Timestamp;
  seen_at: Timestamp | null;
  mail: 'instant' | 'daily' | 'sent' | 'none';
}

export interface SavedSearchesTable {
  id: Generated<string>;
  user_id: string;
  name: string;
  cadence: Generated<'instant' | 'daily'>;
  text: Generated<string>;
  words: Generated<string[]>;
  reading: Generated<'beginnings' | 'parts'>;
  key_word: Generated<string>;
  rest: Generated<string>;
  type_id: Generated<number>;
  min_total_cents: Generated<number>;
  max_total_cents: Generated<number>;
  min_beds: Generated<number>;
  min_baths: Generated<number>;
  south: Generated<number>;
  west: Generated<number>;
  north: Generated<number>;
  east: Generated<number>;
  created_at: Generated<Timestamp>;
  places: Generated<string[]>;
  min_square_feet: Generated<number>;
  max_square_feet: Generated<number>;
  min_lot_square_feet: Generated<number>;
  max_lot_square_feet: Generated<number>;
  min_year: Generated<number>;
  max_year: Generated<number>;
  amenities: Generated<number>;
  keywords: Generated<string>;
  area: Generated<string>;
  has_area: GeneratedAlways<boolean>;
}

export interface ScheduledPayoutsTable {
  period: string;
  due_at: Timestamp;
  ran_at: Timestamp;
  run_id: string | null;
  sellers_below_minimum: Generated<number>;
}

export interface SearchCellsTable {
  level: number;
  y: number;
  x: number;
  type_id: number;
  entries: number;
  latitude_sum: number;
  longitude_sum: number;
}

export interface SearchEntriesTable {
  property_id: string;
  created_at: Timestamp;
  price_cents: number;
  square_feet: number;
  latitude: number;
  longitude: number;
  type_id: number;
  bedrooms: number;
  bathrooms: number;
  words: string;
  lot_square_feet: Generated<number>;
  year_built: Generated<number>;
  amenities: Generated<number>;
}

export interface SearchEventsTable {
  id: GeneratedAlways<number>;
  user_id: string | null;
  query: string;
  filters: Generated<Json>;
  results: number | null;
  created_at: Generated<Timestamp>;
  repeat_key: string | null;
}

export interface SearchPlacesTable {
  place: string;
  entries: number;
}

export interface SearchWordsTable {
  word: string;
  entries: Generated<number>;
}

export interface SellerAccountsTable {
  id: Generated<string>;
  agent_id: string;
  provider: string;
  livemode: boolean;
  ref: string | null;
  name: string;
  email: string;
  created_at: Generated<Timestamp>;
  checked_at: Timestamp | null;
  ended_at: Timestamp | null;
  provider_account_id: string | null;
}

export interface SellerStatementEntriesTable {
  entry_id: number;
  statement_id: string;
}

export interface SellerStatementsTable {
  id: Generated<string>;
  agent_id: string;
  month: string;
  opening_cents: number;
  closing_cents: number;
  content: Json;
  closed_at: Timestamp;
  number: GeneratedAlways<number>;
}

export interface ServiceFeesTable {
  id: Generated<string>;
  name: string;
  fee_type: 'fixed' | 'percentage';
  fixed_cents: number | null;
  percent: number | null;
  applies_to: Generated<string[]>;
  is_active: Generated<boolean>;
  position: Generated<number>;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  archived_at: Timestamp | null;
}

export interface SessionsTable {
  id: Generated<string>;
  user_id: string;
  token: string;
  expires_at: Timestamp;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  proved_at: Generated<Timestamp | null>;
}

export interface SpentChallengesTable {
  challenge_hash: string;
  expires_at: Timestamp;
}

export interface StoredImagesTable {
  id: Generated<string>;
  width: number;
  height: number;
  widths: number[];
  placeholder: string;
  sha256: string;
  byte_size: number;
  uploaded_by: string | null;
  created_at: Generated<Timestamp>;
  attached_at: Timestamp | null;
  let_go_at: Timestamp | null;
}

export interface StripeConnectionTable {
  id: Generated<number>;
  livemode: Generated<boolean>;
  disconnected_at: Timestamp | null;
  version: Generated<number>;
  updated_at: Generated<Timestamp>;
}

export interface StripeKeySetsTable {
  id: Generated<string>;
  livemode: boolean;
  account_ref: string;
  publishable_key: string | null;
  secret_hint: string;
  secret_sealed: string;
  seal_key_id: string;
  set_at: Timestamp;
  checked_at: Timestamp;
  check_failure: string | null;
  retired_at: Timestamp | null;
  endpoint_ref: string | null;
  endpoint_sealed: string | null;
  endpoint_set_at: Timestamp | null;
  endpoint_enabled: boolean | null;
  former_endpoint_ref: string | null;
  former_endpoint_sealed: string | null;
  former_until: Timestamp | null;
}

export interface TokenWalletsTable {
  sale_id: string;
  buyer_id: string;
  wallet: string | null;
  named_at: Timestamp;
}

export interface TotalsTable {
  name: string;
  count: number;
  counted_at: Timestamp;
  sums: Generated<Json>;
}

export interface TourDaysTable {
  agent_id: string;
  day: string;
  starts: number | null;
  ends: number | null;
}

export interface TourHoursTable {
  agent_id: string;
  weekday: number;
  starts: number;
  ends: number;
}

export interface ToursTable {
  id: Generated<string>;
  property_id: string;
  agent_id: string;
  buyer_id: string;
  starts_at: Timestamp;
  time_zone: string;
  status: Generated<'requested' | 'proposed' | 'confirmed' | 'declined' | 'cancelled' | 'lapsed' | 'done'>;
  ended_by: 'buyer' | 'seller' | 'system' | null;
  note: Generated<string>;
  answer: Generated<string>;
  sequence: Generated<number>;
  in_calendars: Generated<boolean>;
  day_reminder_at: Timestamp | null;
  hours_reminder_at: Timestamp | null;
  key: string;
  created_at: Generated<Timestamp>;
  changed_at: Generated<Timestamp>;
}

export interface TransactionFeesTable {
  id: Generated<string>;
  sale_id: string;
  service_fee_id: string | null;
  name: string;
  fee_type: 'fixed' | 'percentage';
  percent: number | null;
  applies_to: 'buyer' | 'seller';
  amount_applied_cents: number;
  created_at: Generated<Timestamp>;
  position: Generated<number>;
}

export interface TransactionFilesTable {
  id: Generated<string>;
  requested_by: string;
  format: 'csv' | 'xlsx';
  query: Json;
  status: Generated<'preparing' | 'ready' | 'failed'>;
  sales: number | null;
  bytes: number | null;
  parts: number | null;
  created_at: Generated<Timestamp>;
  finished_at: Timestamp | null;
  expires_at: Timestamp;
}

export interface TreasuryPositionsTable {
  provider_account_id: string;
  available_cents: number;
  pending_cents: number;
  asked_at: Timestamp;
}

export interface UserBlocksTable {
  user_id: string;
  blocked_id: string;
  created_at: Generated<Timestamp>;
}

export interface UserNoticesTable {
  id: Generated<string>;
  user_id: string;
  message: string;
  created_at: Generated<Timestamp>;
  confirmed_at: Timestamp | null;
}

export interface UsersTable {
  id: Generated<string>;
  name: string;
  email: string;
  email_verified: Generated<boolean>;
  image: string | null;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
  closed_at: Timestamp | null;
  is_buyer: Generated<boolean>;
  search_text: GeneratedAlways<string>;
}

export interface VerificationsTable {
  id: Generated<string>;
  identifier: string;
  value: string;
  expires_at: Timestamp;
  created_at: Generated<Timestamp>;
  updated_at: Generated<Timestamp>;
}

export interface DB {
  admin_task_notes: AdminTaskNotesTable;
  admin_tasks: AdminTasksTable;
  agent_invitations: AgentInvitationsTable;
  agents: AgentsTable;
  amenities: AmenitiesTable;
  api_key_days: ApiKeyDaysTable;
  api_keys: ApiKeysTable;
  audit_chain: AuditChainTable;
  audit_log: AuditLogTable;
  authenticators: AuthenticatorsTable;
  break_approvals: BreakApprovalsTable;
  break_refunds: BreakRefundsTable;
  breaks: BreaksTable;
  chain_transactions: ChainTransactionsTable;
  clearing_matches: ClearingMatchesTable;
  closed_months: ClosedMonthsTable;
  closing_documents: ClosingDocumentsTable;
  commission_settings: CommissionSettingsTable;
  completion_nfts: CompletionNftsTable;
  content_pins: ContentPinsTable;
  credentials: CredentialsTable;
  dispute_evidence: DisputeEvidenceTable;
  disputes: DisputesTable;
  document_anchors: DocumentAnchorsTable;
  document_registry: DocumentRegistryTable;
  homepage_content: HomepageContentTable;
  idempotent_requests: IdempotentRequestsTable;
  inquiry_messages: InquiryMessagesTable;
  inquiry_reports: InquiryReportsTable;
  inquiry_states: InquiryStatesTable;
  ledger_accounts: LedgerAccountsTable;
  ledger_entries: LedgerEntriesTable;
  ledger_postings: LedgerPostingsTable;
  listing_arrivals: ListingArrivalsTable;
  listing_days: ListingDaysTable;
  listing_import_refusals: ListingImportRefusalsTable;
  listing_import_rows: ListingImportRowsTable;
  listing_imports: ListingImportsTable;
  listing_places: ListingPlacesTable;
  listing_reports: ListingReportsTable;
  live_events: LiveEventsTable;
  mail_outbox: MailOutboxTable;
  message_files: MessageFilesTable;
  notification_preferences: NotificationPreferencesTable;
  ownership_proofs: OwnershipProofsTable;
  passkeys: PasskeysTable;
  payout_items: PayoutItemsTable;
  payout_offsets: PayoutOffsetsTable;
  payout_reversals: PayoutReversalsTable;
  payout_run_items: PayoutRunItemsTable;
  payout_runs: PayoutRunsTable;
  payouts: PayoutsTable;
  platform_settings: PlatformSettingsTable;
  policy_versions: PolicyVersionsTable;
  profiles: ProfilesTable;
  properties: PropertiesTable;
  property_amenities: PropertyAmenitiesTable;
  property_changes: PropertyChangesTable;
  property_drafts: PropertyDraftsTable;
  property_images: PropertyImagesTable;
  property_inquiries: PropertyInquiriesTable;
  property_notifications: PropertyNotificationsTable;
  property_sales: PropertySalesTable;
  property_types: PropertyTypesTable;
  property_view_days: PropertyViewDaysTable;
  property_view_events: PropertyViewEventsTable;
  property_views: PropertyViewsTable;
  property_watches: PropertyWatchesTable;
  provider_accounts: ProviderAccountsTable;
  provider_capabilities: ProviderCapabilitiesTable;
  provider_events: ProviderEventsTable;
  provider_transactions: ProviderTransactionsTable;
  quick_replies: QuickRepliesTable;
  rate_limits: RateLimitsTable;
  reconciliation_runs: ReconciliationRunsTable;
  recovery_codes: RecoveryCodesTable;
  refunds: RefundsTable;
  remote_photos: RemotePhotosTable;
  report_days: ReportDaysTable;
  report_events: ReportEventsTable;
  report_market: ReportMarketTable;
  report_terms: ReportTermsTable;
  report_viewers: ReportViewersTable;
  sale_events: SaleEventsTable;
  sale_search: SaleSearchTable;
  sale_tranches: SaleTranchesTable;
  sandbox_accounts: SandboxAccountsTable;
  sandbox_checkouts: SandboxCheckoutsTable;
  sandbox_deliveries: SandboxDeliveriesTable;
  sandbox_disputes: SandboxDisputesTable;
  sandbox_keys: SandboxKeysTable;
  sandbox_onboarding_links: SandboxOnboardingLinksTable;
  sandbox_payout_items: SandboxPayoutItemsTable;
  sandbox_payouts: SandboxPayoutsTable;
  sandbox_refunds: SandboxRefundsTable;
  sandbox_reversals: SandboxReversalsTable;
  sandbox_tranches: SandboxTranchesTable;
  sandbox_transactions: SandboxTransactionsTable;
  saved_search_mails: SavedSearchMailsTable;
  saved_search_matches: SavedSearchMatchesTable;
  saved_searches: SavedSearchesTable;
  scheduled_payouts: ScheduledPayoutsTable;
  search_cells: SearchCellsTable;
  search_entries: SearchEntriesTable;
  search_events: SearchEventsTable;
  search_places: SearchPlacesTable;
  search_words: SearchWordsTable;
  seller_accounts: SellerAccountsTable;
  seller_statement_entries: SellerStatementEntriesTable;
  seller_statements: SellerStatementsTable;
  service_fees: ServiceFeesTable;
  sessions: SessionsTable;
  spent_challenges: SpentChallengesTable;
  stored_images: StoredImagesTable;
  stripe_connection: StripeConnectionTable;
  stripe_key_sets: StripeKeySetsTable;
  token_wallets: TokenWalletsTable;
  totals: TotalsTable;
  tour_days: TourDaysTable;
  tour_hours: TourHoursTable;
  tours: ToursTable;
  transaction_fees: TransactionFeesTable;
  transaction_files: TransactionFilesTable;
  treasury_positions: TreasuryPositionsTable;
  user_blocks: UserBlocksTable;
  user_notices: UserNoticesTable;
  users: UsersTable;
  verifications: VerificationsTable;
}
