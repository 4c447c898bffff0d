/** Every URL of the product is built here and in `admin-paths.ts`; no other module concatenates URLs. */

export interface PropertiesQuery {
  type?: string | undefined;
  q?: string | undefined;
  min?: number | undefined;
  max?: number | undefined;
  beds?: number | undefined;
  baths?: number | undefined;
  sort?: string | undefined;
  page?: number | undefined;
  bbox?: string | undefined;
  map?: string | undefined;
  /** opens the form that saves this search */
  save?: string | undefined;
}

/** Which conversation, filter and page of the inbox is shown. */
interface InboxQuery {
  inquiry?: string | undefined;
  filter?: string | undefined;
  /** a page of older conversations */
  before?: string | undefined;
  /** a page of older messages of the open one */
  older?: string | undefined;
  /** the dialog that is open */
  do?: string | undefined;
}

/** How a seller's table is searched, sorted and paged; `sort` begins with a minus for descending. */
export type TableQuery = {
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
};

/** Query of a sign-in page: where to go afterwards, what to do then, and whether to show the forgotten-password form. */
export interface LoginQuery {
  next?: string | undefined;
  intent?: string | undefined;
  forgot?: 1 | undefined;
}

/** What photos belong to: a listing, or the draft of a new one. */
type PhotoOwner = { propertyId: string } | { draftId: string };

/** '?…' of the given values, or '' when there are none. */
export const queryString = (query: Record<string, string | number | undefined>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text && `?${text}`;
};
/** The area of the site that a signed-in user's own pages belong to. */
type AreaRole = 'buyer' | 'agent' | 'admin';

const activityPaths: Record<AreaRole, string> = {
  buyer: '/buyer/transactions',
  agent: '/agent/activity',
  admin: '/admin/activity',
};
/** One part of a path. */
export const segment = (value: string) => encodeURIComponent(value);
const ownerPath = (owner: PhotoOwner) =>
  'propertyId' in owner ? `property/${segment(owner.propertyId)}` : `draft/${segment(owner.draftId)}`;

export const paths = {
  home: () => '/',
  /** the featured properties of the home page */
  featured: () => '/#featured',
  properties: (query: PropertiesQuery = {}) => `/properties${queryString({ ...query })}`,
  property: (id: string) => `/property/${segment(id)}`,
  propertyOgImage: (id: string) => `/property/${segment(id)}/og.jpg`,
  resetPassword: (
    query: { token?: string | undefined; done?: string | undefined; forced?: 1 | undefined } = {},
  ) => `/reset-password${queryString(query)}`,
  buyerLogin: (query: LoginQuery = {}) => `/buyer/login${queryString({ ...query })}`,
  buyerSignup: (query: { next?: string | undefined } = {}) => `/buyer/signup${queryString(query)}`,
  buyerActivity: (query: { tab?: string | undefined; sale?: string | undefined } & InboxQuery = {}) =>
    `${activityPaths.buyer}${queryString({ ...query })}`,
  /** My Activity under the path of the reader's role, so that signing in happens at the right door */
  activity: (role: AreaRole, query: { tab?: string | undefined } & InboxQuery = {}) =>
    `${activityPaths[role]}${queryString({ ...query })}`,
  savedSearchList: (role: AreaRole) => `/${role}/saved-searches`,
  buyerNotifications: (query: { before?: string | undefined } = {}) =>
    `/buyer/notifications${queryString(query)}`,
  buyerSale: (id: string) => `/buyer/sales/${segment(id)}`,
  sellerSale: (id: string) => `/agent/sales/${segment(id)}`,
  receipt: (id: string) => `/receipt/${segment(id)}`,
  /** leads to the address of the file, which is signed and expires */
  receiptPdf: (id: string) => `/receipt/${segment(id)}/pdf`,
  purchase: (propertyId: string) => `/property/${segment(propertyId)}/purchase`,
  /** the property's page, which asks whether to pay by this method: after signing in, or when the price has changed */
  purchaseConfirmation: (propertyId: string, method: string) =>
    `/property/${segment(propertyId)}${queryString({ purchase: method })}`,
  /** where the provider's page returns to when the buyer gives up; the page then closes that checkout */
  purchaseLeft: (propertyId: string, saleId: string) =>
    `/property/${segment(propertyId)}${queryString({ left: saleId })}`,
  sandboxOnboarding: (token: string) => `/sandbox/onboarding/${segment(token)}`,
  sandboxCheckout: (ref: string) => `/sandbox/checkout/${segment(ref)}`,
  createCardPayment: () => '/api/payments/create-card-payment',
  createCryptoPayment: () => '/api/payments/create-coinbase-payment',
  /** alias of `createCryptoPayment` that the payment diagnostics probe */
  cryptoPaymentCheck: () => '/api/payments/create-crypto-payment',
  stripeConfig: () => '/api/stripe-config',
  paymentDiagnostics: () => '/api/payment-diagnostics',
  sellerLogin: (query: LoginQuery = {}) => `/agent/login${queryString({ ...query })}`,
  sellerRegister: (query: { id: string; token?: string | undefined }) =>
    `/agent/register${queryString(query)}`,
  sellerDashboard: () => '/agent/dashboard',
  /** `do` and `id` open the confirmation dialog of an action */
  sellerProperties: (query: TableQuery & { do?: string | undefined; id?: string | undefined } = {}) =>
    `/agent/properties${queryString({ ...query })}`,
  sellerAddProperty: () => '/agent/properties/add',
  sellerEditProperty: (id: string) => `/agent/properties/${segment(id)}/edit`,
  /** JSON endpoint that saves or discards the draft of a seller's form */
  listingDraft: () => '/api/listing-draft',
  /** the coordinates of an address, as JSON */
  geocode: (address: string) => `/api/place${queryString({ address })}`,
  sellerTransactions: (query: TableQuery = {}) => `/agent/transactions${queryString({ ...query })}`,
  sellerTransactionsCsv: (query: Pick<TableQuery, 'q'> = {}) =>
    `/agent/transactions.csv${queryString(query)}`,
  photos: (owner: PhotoOwner) => `/agent/photos/${ownerPath(owner)}`,
  /** upload endpoint for one photo; `key` identifies the upload across retries */
  photoUpload: (owner: PhotoOwner, query: { key: string; position: number; main?: 1 | undefined }) =>
    `/agent/uploads/${ownerPath(owner)}${queryString({ ...query })}`,
  sellerInquiries: (query: InboxQuery = {}) => `/agent/inquiries${queryString({ ...query })}`,
  /** a conversation as JSON: for loading more of it and for its actions */
  inquiry: (id: string, query: { before?: string | undefined } = {}) =>
    `/inquiries/${segment(id)}${queryString(query)}`,
  unread: () => '/api/unread',
  session: () => '/api/session',
  /** what the bell's panel shows, as JSON, and its form */
  bell: () => '/bell',
  sellerSettings: (
    query: { do?: string | undefined; confirm?: string | undefined; page?: number | undefined } = {},
  ) => `/agent/settings${queryString(query)}`,
  /** where the seller comes back to from the provider's page, and where a link to it that is no longer valid leads */
  stripeReturn: () => '/agent/settings/stripe/return',
  stripeRefresh: () => '/agent/settings/stripe/refresh',
  sellerStatements: (query: { month?: string | undefined; page?: number | undefined } = {}) =>
    `/agent/statements${queryString(query)}`,
  /** a seller's statement of a month ('YYYY-MM') as a file, for the seller and administrators */
  statementFile: (of: { sellerId: string; month: string; format: 'pdf' | 'csv' }) =>
    `/statements/${segment(of.sellerId)}/${segment(of.month)}.${of.format}`,
  adminLogin: (query: LoginQuery = {}) => `/admin${queryString({ ...query })}`,
  adminDashboard: () => '/admin/dashboard',
  account: () => '/account',
  /** where the link leads that is mailed to an account's new address */
  confirmEmailChange: (query: { token?: string | undefined } = {}) => `/account/email${queryString(query)}`,
  accountExport: () => '/account/export',
  savedSearches: () => '/saved-searches',
  logout: () => '/logout',
  /** the unsubscribe link in a mail; works without signing in */
  unsubscribe: (query: { token: string }) => `/unsubscribe${queryString(query)}`,
  verifyEmail: (query: { token?: string | undefined; next?: string | undefined } = {}) =>
    `/verify-email${queryString(query)}`,
  view: (id: string) => `/property/${segment(id)}/view`,
  watch: (id: string) => `/property/${segment(id)}/watch`,
  suggestions: (q: string) => `/api/suggestions${queryString({ q })}`,
  mapMarkers: (query: PropertiesQuery & { zoom?: number }) => `/api/map${queryString({ ...query })}`,
  /** the live event stream; `after` is the id of the last event already received by any tab */
  events: (query: { after?: string | undefined } = {}) => `/api/events${queryString(query)}`,
  devPayouts: () => '/dev/payouts',
  devMail: (query: { mail?: string } = {}) => `/dev/mail${queryString(query)}`,
} as const;
