/** Every address of the product is built here; no other module joins URLs. */

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
  /** opens the form that keeps these criteria */
  save?: string | undefined;
}

/** Where somebody stands among their conversations. */
export interface InboxQuery {
  inquiry?: string | undefined;
  filter?: string | undefined;
  /** a page of older conversations */
  before?: string | undefined;
  /** a page of older messages of the open one */
  older?: string | undefined;
  /** the dialog that is open */
  do?: string | undefined;
}

/** How a seller's table is searched, sorted and turned over; `sort` begins with a minus for descending. */
export interface TableQuery {
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
}

/** What a sign-in page is told: where to go on, what to do then, and to begin with the forgotten password. */
export interface DoorQuery {
  next?: string | undefined;
  intent?: string | undefined;
  forgot?: 1 | undefined;
}

/** What photographs hang on: a listing, or the draft of a new one. */
type PhotoOwner = { propertyId: string } | { draftId: string };

const search = (query: Record<string, string | number | undefined>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(given.map(([key, value]) => [key, String(value)])).toString();
  return text && `?${text}`;
};
const segment = (value: string) => encodeURIComponent(value);
const ownerPath = (owner: PhotoOwner) =>
  'propertyId' in owner ? `property/${segment(owner.propertyId)}` : `draft/${segment(owner.draftId)}`;

export const paths = {
  home: () => '/',
  featured: () => '/#featured',
  properties: (query: PropertiesQuery = {}) => `/properties${search({ ...query })}`,
  property: (id: string) => `/property/${segment(id)}`,
  propertyOgImage: (id: string) => `/property/${segment(id)}/og.jpg`,
  resetPassword: (query: { token?: string | undefined; done?: string | undefined } = {}) =>
    `/reset-password${search(query)}`,
  buyerLogin: (query: DoorQuery = {}) => `/buyer/login${search({ ...query })}`,
  buyerSignup: (query: { next?: string | undefined } = {}) => `/buyer/signup${search(query)}`,
  buyerActivity: (query: { tab?: string | undefined; sale?: string | undefined } & InboxQuery = {}) =>
    `/buyer/transactions${search({ ...query })}`,
  buyerNotifications: (query: { before?: string | undefined } = {}) => `/buyer/notifications${search(query)}`,
  buyerSale: (id: string) => `/buyer/sales/${segment(id)}`,
  agentSale: (id: string) => `/agent/sales/${segment(id)}`,
  receipt: (id: string) => `/receipt/${segment(id)}`,
  purchase: (propertyId: string) => `/property/${segment(propertyId)}/purchase`,
  /** the property's page, with the way of paying that was chosen before signing in */
  purchaseAfterSignIn: (propertyId: string, method: string) =>
    `/property/${segment(propertyId)}${search({ purchase: method })}`,
  /** where the provider's page leads back to when its reader gives up; the page then closes that checkout */
  purchaseLeft: (propertyId: string, saleId: string) =>
    `/property/${segment(propertyId)}${search({ left: saleId })}`,
  sandboxCheckout: (ref: string) => `/sandbox/checkout/${segment(ref)}`,
  createCardPayment: () => '/api/payments/create-card-payment',
  createCryptoPayment: () => '/api/payments/create-coinbase-payment',
  /** the same by its other name; what the diagnosis asks (B-079) */
  cryptoPaymentCheck: () => '/api/payments/create-crypto-payment',
  stripeConfig: () => '/api/stripe-config',
  paymentDiagnostics: () => '/api/payment-diagnostics',
  stripeWebhook: () => '/api/webhooks/stripe',
  coinbaseWebhook: () => '/api/webhooks/coinbase',
  agentLogin: (query: DoorQuery = {}) => `/agent/login${search({ ...query })}`,
  agentRegister: (query: { id: string; token?: string | undefined }) => `/agent/register${search(query)}`,
  agentDashboard: () => '/agent/dashboard',
  /** `do` and `id` open the dialog of a deed */
  agentProperties: (query: TableQuery & { do?: string | undefined; id?: string | undefined } = {}) =>
    `/agent/properties${search({ ...query })}`,
  agentAddProperty: () => '/agent/properties/add',
  agentEditProperty: (id: string) => `/agent/properties/${segment(id)}/edit`,
  /** a seller's form as data: saved as a draft, or its draft discarded */
  listingDraft: () => '/api/listing-draft',
  /** where an address lies, as data */
  placeOf: (address: string) => `/api/place${search({ address })}`,
  agentTransactions: (query: TableQuery = {}) => `/agent/transactions${search({ ...query })}`,
  agentTransactionsFile: (query: Pick<TableQuery, 'q'> = {}) => `/agent/transactions.csv${search(query)}`,
  photos: (owner: PhotoOwner) => `/agent/photos/${ownerPath(owner)}`,
  /** where the bytes of one photograph are sent to; `key` names the upload and all its repetitions */
  photoUpload: (owner: PhotoOwner, query: { key: string; position: number; main?: 1 | undefined }) =>
    `/agent/uploads/${ownerPath(owner)}${search({ ...query })}`,
  agentInquiries: (query: InboxQuery = {}) => `/agent/inquiries${search({ ...query })}`,
  /** a conversation as data: to read more of it, and to act in it */
  inquiry: (id: string, query: { before?: string | undefined } = {}) =>
    `/inquiries/${segment(id)}${search(query)}`,
  unread: () => '/api/unread',
  agentSettings: (query: { do?: string | undefined; confirm?: string | undefined } = {}) =>
    `/agent/settings${search(query)}`,
  agentSellers: () => '/agent/agents',
  adminLogin: (query: DoorQuery = {}) => `/admin${search({ ...query })}`,
  adminDashboard: () => '/admin/dashboard',
  account: () => '/account',
  accountExport: () => '/account/export',
  savedSearches: () => '/saved-searches',
  logout: () => '/logout',
  /** the link under a mail; works without signing in */
  unsubscribe: (query: { token: string }) => `/unsubscribe${search(query)}`,
  verifyEmail: (query: { token?: string | undefined; next?: string | undefined } = {}) =>
    `/verify-email${search(query)}`,
  view: (id: string) => `/property/${segment(id)}/view`,
  watch: (id: string) => `/property/${segment(id)}/watch`,
  suggestions: (q: string) => `/api/suggestions${search({ q })}`,
  mapMarkers: (query: PropertiesQuery & { zoom?: number }) => `/api/map${search({ ...query })}`,
  /** the live stream; `after` is the id of the last event that another tab's stream has brought */
  events: (query: { after?: string | undefined } = {}) => `/api/events${search(query)}`,
  devMail: (query: { mail?: string } = {}) => `/dev/mail${search(query)}`,
  illustration: (kind: string, hash: number, variant: string) =>
    `/illustrations/${kind}/${hash}/${variant}.svg`,
  media: (key: string) => `/media/${key}`,
} as const;
