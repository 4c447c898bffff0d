import { paths, queryString, segment, type TableQuery } from './paths.ts';

/**
 * The state of a list of the back office: its search, sort and page, the record that its drawer shows (`details`), and
 * filters of its own.
 */
export type AdminListQuery = TableQuery & {
  details?: string | undefined;
  [filter: string]: string | number | undefined;
};

const list =
  (path: string) =>
  (query: AdminListQuery = {}): string =>
    path + queryString(query);

/** The URLs of the back office, apart from `paths`, which the public pages load. */
export const adminPaths = {
  dashboard: list(paths.adminDashboard()),
  sellers: list('/admin/agents'),
  properties: list('/admin/properties'),
  newProperty: () => '/admin/properties/new',
  editProperty: (id: string) => `/admin/properties/${segment(id)}/edit`,
  /** proofs of ownership; `property` opens the latest one of a listing */
  ownership: (
    query: {
      tab?: string | undefined;
      proof?: string | undefined;
      property?: string | undefined;
      page?: number | undefined;
      size?: number | undefined;
    } = {},
  ): string => `/admin/ownership${queryString(query)}`,
  /** sellers to choose from, as JSON */
  sellerChoices: (q: string) => `/admin/seller-choices${queryString({ q })}`,
  /** leads to the signed address of a document */
  documentFile: (id: string) => `/admin/documents/${segment(id)}/file`,
  /** the documents of a property; `page` as in lists */
  propertyDocuments: (id: string, query: AdminListQuery = {}): string =>
    `/admin/properties/${segment(id)}/documents${queryString(query)}`,
  /** properties to choose from, as JSON */
  propertyChoices: (q: string) => `/admin/property-choices${queryString({ q })}`,
  /** files of listings; more in `importPaths` */
  imports: () => '/admin/import',
  propertyTypes: list('/admin/property-types'),
  transactions: list('/admin/transactions'),
  /** the whole list as a file */
  transactionsExport: (format: 'csv' | 'xlsx', query: AdminListQuery = {}): string =>
    `/admin/transactions.${format}${queryString(query)}`,
  /** a file that was prepared in the background */
  transactionsFile: (id: string) => `/admin/transaction-files/${segment(id)}`,
  paymentSettings: list('/admin/payment-settings'),
  documents: list('/admin/documents'),
  blockchain: list('/admin/blockchain'),
  inquiries: list('/admin/inquiries'),
  reports: list('/admin/reports'),
  /** a table of a tab as a file */
  reportCsv: list('/admin/reports.csv'),
  /** a tab as a file */
  reportPdf: list('/admin/reports.pdf'),
  /** `edit` opens the form */
  homepage: (query: { edit?: 1 } = {}): string => `/admin/homepage${queryString(query)}`,
  /** upload endpoint for the picture of the home page */
  homepageImage: () => '/admin/uploads/homepage',
  admins: list('/admin/admins'),
  apiKeys: list('/admin/api-keys'),
  buyers: list('/admin/buyers'),
  /** an export of somebody's personal data that was prepared */
  personalData: (link: string) => `/admin/personal-data/${segment(link)}`,
  tasks: list('/admin/tasks'),
  operations: list('/admin/operations'),
  reconciliation: list('/admin/reconciliation'),
  history: list('/admin/history'),
  historyCsv: list('/admin/history.csv'),
  settings: list('/admin/settings'),
  /** where someone confirms a notice of the administrators */
  notices: () => '/notices',
  /** how much waits for an administrator, as JSON */
  waitingWork: () => '/api/waiting-work',
  /** which of the selected payouts are still pending, as JSON */
  stillPending: () => '/api/still-pending',
  /** what all pending payouts come to that are selected together, as JSON; `sort` such as '-date', empty for the usual order */
  pendingSum: (sort: string) => `/api/pending-sum${queryString({ sort: sort || undefined })}`,
  /** what the search finds, as JSON */
  search: (q: string) => `/api/office-search${queryString({ q })}`,
} as const;
