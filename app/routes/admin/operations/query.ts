import { parseTableQuery } from '#app/table-query.ts';
import { type MessageStatus, messageStatuses } from '#features/payments/messages.ts';
import type { AdminListQuery } from '#routing/admin-paths.ts';

const operationTabs = ['health', 'jobs', 'emails', 'messages'] as const;
type OperationTab = (typeof operationTabs)[number];

/** What is dropped with a reason, in a dialog. */
const dialogs = ['drop-job', 'drop-mail', 'drop-message'] as const;
export type DropDialog = (typeof dialogs)[number];

const oneOf = <T extends string>(values: readonly T[], text: string | null): T | null =>
  values.find((value) => value === text) ?? null;

/** The page as its URL says; what is unknown is ignored. */
export function parseOperationsQuery(params: URLSearchParams) {
  const before = params.get('before') ?? '';
  return {
    ...parseTableQuery(params, []),
    tab: oneOf<OperationTab>(operationTabs, params.get('tab')) ?? 'health',
    status: oneOf<MessageStatus>(messageStatuses, params.get('status')),
    before: /^[1-9]\d{0,14}$/.test(before) ? Number(before) : null,
    dialog: oneOf<DropDialog>(dialogs, params.get('do')),
    id: params.get('id') ?? '',
  };
}

export type OperationsQuery = ReturnType<typeof parseOperationsQuery>;

/** The URL parameters of the list, without a dialog. */
export const toOperationsQuery = ({ tab, q, status, page, before }: OperationsQuery): AdminListQuery => ({
  tab: tab === 'health' ? undefined : tab,
  q: q || undefined,
  status: status ?? undefined,
  page: page > 1 ? page : undefined,
  before: before ?? undefined,
});
