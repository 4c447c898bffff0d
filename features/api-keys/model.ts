import { keysOf } from '#platform/typed-keys.ts';

/** What a key may read, with the words for it. */
export const scopeLabels = {
  listings: 'Listings',
  media: 'Photos',
  members: 'Sellers and office',
} as const;
export type Scope = keyof typeof scopeLabels;
export const scopes = keysOf(scopeLabels);

/** Requests a minute: what a new key has, and the most it may have. */
export const DEFAULT_PER_MINUTE = 120;
export const MAX_PER_MINUTE = 600;
/** Keys that work at the same time, of one owner. */
export const MAX_KEYS = 20;
export const MAX_KEY_NAME = 80;

/** A key in the lists; times in ISO 8601 UTC. */
export interface ApiKeyRow {
  id: string;
  name: string;
  /** the beginning of the secret, by which keys are told apart */
  prefix: string;
  scopes: Scope[];
  perMinute: number;
  ownerName: string;
  /** an administrator's sees the market, a seller's the seller's own listings */
  ofSeller: boolean;
  createdAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
  /** requests of the last seven days (UTC) */
  requests: number;
}

export type ApiKeyErrors = Partial<Record<'name' | 'scopes' | 'perMinute', string>>;

/** What a valid key lets its holder read. Only `admitApiKey` makes one. */
export interface Grant {
  keyId: string;
  scopes: readonly Scope[];
  /** null: every listing that is exchanged; else the seller whose listings alone are seen */
  agentId: string | null;
}

/** What was typed for a new key. */
export const typedKey = (form: FormData) => ({
  name: String(form.get('name') ?? ''),
  perMinute: String(form.get('perMinute') ?? ''),
  scopes: form.getAll('scope').map(String),
});

export const apiKeyMessages = {
  revoked: { title: 'API key revoked', text: 'Requests with it are refused from now on.' },
  gone: { title: 'API key not found', text: 'It was revoked before.', tone: 'info' },
  tooMany: `You have ${MAX_KEYS} API keys. Revoke one to create another.`,
  failed: 'The API key could not be saved. Please try again.',
} as const;
