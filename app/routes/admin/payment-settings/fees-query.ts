import type { Commission } from '#features/commission/model.ts';
import type { ManagedFee } from '#features/fees/managed.ts';
import { adminPaths } from '#routing/admin-paths.ts';

const dialogs = ['add-fee', 'edit-fee', 'remove-fee', 'commission', 'drop-commission'] as const;
type FeesDialog = (typeof dialogs)[number];

/** What the URL of the page says about the tab Service Fees. */
export interface FeesQuery {
  dialog: FeesDialog | null;
  /** the fee that the dialog is about */
  id: string;
  /** the fee whose details are open, and where its history goes on */
  details: string | null;
  before: string | null;
  /** where the history of the commission goes on */
  history: string | null;
}

export const parseFeesQuery = (params: URLSearchParams): FeesQuery => ({
  dialog: dialogs.find((dialog) => dialog === params.get('do')) ?? null,
  id: params.get('id') ?? '',
  details: params.get('details'),
  before: params.get('before'),
  history: params.get('history'),
});

interface FeesHref {
  do?: FeesDialog | undefined;
  id?: string | undefined;
  details?: string | undefined;
  before?: string | undefined;
  history?: string | undefined;
}

/** The URL of the tab Service Fees. */
export const feesHref = (change: FeesHref = {}): string =>
  adminPaths.paymentSettings({ tab: 'fees', ...change });

/** What the answer to a form of this tab says about what somebody else has saved meanwhile. */
export interface NewerFees {
  newerFee?: ManagedFee;
  newerCommission?: Commission;
}

/** The fields that the dialogs of the tab get back when they are refused. */
export const feeFields = ['name', 'type', 'amount', 'buyer', 'seller', 'active', 'percent', 'when', 'day'];
