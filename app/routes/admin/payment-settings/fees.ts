import { readOrNull } from '#app/read-or.ts';
import { recordHistory } from '#features/audit/reads.ts';
import type { Commission } from '#features/commission/model.ts';
import { platformCommission } from '#features/commission/reads.ts';
import { EXAMPLE_CENTS } from '#features/fees/example.ts';
import type { ManagedFee } from '#features/fees/managed.ts';
import { managedFee, managedFees } from '#features/fees/reads.ts';
import { agentCommissionCents } from '#features/sales/amounts.ts';
import type { Ctx } from '#platform/context.ts';
import { NotFound } from '#platform/errors.ts';
import { adminPaths } from '#routing/admin-paths.ts';

const dialogs = ['add-fee', 'edit-fee', 'remove-fee', 'commission', 'drop-commission'] as const;
export type FeesDialog = (typeof dialogs)[number];

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

/** What the tab Service Fees shows; null for each part that could not be read. */
export async function readFeesTab(ctx: Ctx, params: URLSearchParams) {
  const query = parseFeesQuery(params);
  const [fees, commission, drawer, removed] = await Promise.all([
    readOrNull(ctx, () => managedFees(ctx)),
    readOrNull(ctx, () => readCommission(ctx, query)),
    query.details === null ? null : readOrNull(ctx, () => readDrawer(ctx, query.details ?? '', query.before)),
    query.dialog === 'remove-fee' ? readOrNull(ctx, () => known(managedFee(ctx, query.id))) : null,
  ]);
  return { query, fees, commission, drawer, removed, failed: fees === null || commission === null };
}

export type FeesTabData = Awaited<ReturnType<typeof readFeesTab>>;

async function readCommission(ctx: Ctx, { history }: FeesQuery) {
  const [found, rows] = await Promise.all([
    platformCommission(ctx),
    readOrNull(ctx, () =>
      recordHistory(ctx, { entity: 'commission_setting', entityId: '1', before: history }),
    ),
  ]);
  const sellerShareCents = agentCommissionCents(EXAMPLE_CENTS, found.commission.percent);
  return { ...found, history: rows, sellerShareCents };
}

async function readDrawer(ctx: Ctx, id: string, before: string | null) {
  const fee = await known(managedFee(ctx, id));
  if (!fee) return null;
  const history = await readOrNull(ctx, () =>
    recordHistory(ctx, { entity: 'service_fee', entityId: id, before }),
  );
  return { fee, history };
}

/** Null for a fee that is gone: there is nothing to open then. */
const known = <Found>(reading: Promise<Found>): Promise<Found | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
