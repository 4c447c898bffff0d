import { type PendingSort, pendingSorts } from '#features/payout-runs/model.ts';

/** The dialogs of Payout Management that its URL opens, about a run, a sale or a payout. */
const payoutDialogs = [
  'approve-run',
  'decline-run',
  'retry-payout',
  'bank-reference',
  'confirm-payout',
  'fail-payout',
] as const;
type PayoutDialog = (typeof payoutDialogs)[number];

/** What the URL says about Payout Management, whose names differ from those of other lists on the page. */
export interface PayoutsQuery {
  sort: { by: PendingSort; descending: boolean } | null;
  page: number;
  failedPage: number;
  manualPage: number;
  /** null while the list is folded away */
  notYetPage: number | null;
  /** a run to show, whatever became of it */
  run: string | null;
  dialog: PayoutDialog | null;
  /** what the dialog is about */
  subject: string;
}

export function parsePayoutsQuery(params: URLSearchParams): PayoutsQuery {
  return {
    sort: parsePayoutsSort(params.get('payouts-sort') ?? ''),
    page: pageOf(params, 'payouts-page') ?? 1,
    failedPage: pageOf(params, 'failed-page') ?? 1,
    manualPage: pageOf(params, 'by-hand-page') ?? 1,
    notYetPage: pageOf(params, 'not-yet-page'),
    run: params.get('run'),
    dialog: payoutDialogs.find((one) => one === params.get('do')) ?? null,
    subject: params.get('id') ?? '',
  };
}

/** The order of the pending payouts as the URL has it, such as '-date'; null for the usual one. */
export function parsePayoutsSort(sort: string): PayoutsQuery['sort'] {
  const by = pendingSorts.find((one) => one === sort.replace(/^-/, ''));
  return by ? { by, descending: sort.startsWith('-') } : null;
}

export const sortParam = ({ by, descending }: NonNullable<PayoutsQuery['sort']>): string =>
  `${descending ? '-' : ''}${by}`;

function pageOf(params: URLSearchParams, name: string): number | null {
  const page = Number(params.get(name));
  return Number.isSafeInteger(page) && page > 0 ? page : null;
}

/** The parameters that close every dialog. */
export const noDialog = { do: undefined, id: undefined } as const;
